"""The commonest function words of languages in Latin letters, by ISO 639-1 code.

Written by hand from grammars; articles, pronouns, prepositions, conjunctions and forms of *be* and
*have* make up a third and more of running text in most of these languages. Words of one Latin letter
are left out: they are signs, variables and items of lists.
"""

from __future__ import annotations

from types import MappingProxyType

_LISTS = {
    "en": """the of and to in a is that for it was on as with his he be at by i this had not are but from or
        have an they which one you were all her she there would their we him been has when who will no
        more if out so said what up its about into than them can only other time some could these two
        may then do first any my now such like our over me even most after also did many before must
        through your should because each just those how too where why does us while here very both
        until during without again under use using used make add need please get don not""",
    "de": """der die das und ist in den von zu mit sich des auf für im dem nicht ein eine als auch es an werden
        aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder
        aber vor zur bis mehr durch man sein wurde wenn ihr kann ich wir mir mich dich dir uns euch ihm ihn
        ihre seine seiner diese dieser dieses diesem diesen können muss soll keine kein unter gegen schon
        vom sehr was wer wo hier dort dann damit weil ob zwischen während soweit jeder alle sowie""",
    "fr": """le la les de des du et est un une dans que qui pour par sur au aux avec il elle ne pas ce cette ces
        se son sa ses en plus ou mais nous vous ils elles je tu on été être avoir a ont sont était fait comme
        tout tous leur leurs même si bien sans où donc votre vos notre nos mon ma mes ton ta tes peut aussi
        y dont entre après avant très lors lorsque puis chez depuis vers sous car ainsi cela ça quand alors
        utiliser afin afficher""",
    "es": """el la los las de del y en que es un una por para con no se su sus al lo como más o pero este esta
        estos estas ese esa ha han sido ser son fue está están era muy ya cuando donde si también le les me te
        nos mi mis tu tus sin sobre entre hasta desde durante hay porque qué cómo todo todos todas puede
        según e cada otro otra otros yo él ella ellos usted ustedes después antes cual hacer así tiene
        tengo quiero usar mostrar presenta tras""",
    "pt": """o a os as de do da dos das e em que é um uma por para com não se seu sua seus suas ao aos à às no na
        nos nas como mais ou mas este esta esse essa isso foi ser são está estão era já quando onde também lhe
        me te meu minha sem sobre entre até desde há porque pelo pela pelos pelas muito todos todas pode
        cada outro outra você vocês eu ele ela eles depois antes qual ter tem tinha num numa dele dela seja
        usar exibir""",
    "it": """il lo la i gli le di del della dei degli delle e in che è un una uno per con non si su al alla ai alle
        come più o ma questo questa questi queste sono era essere ha hanno stato stata dal dalla dai nel nella
        nei nelle sul sulla anche se ci ne mi ti vi suo sua suoi sue mio tuo senza tra fra fino perché molto
        tutti tutte può ogni altro altra io lui lei loro noi voi dopo prima quando dove quale così un
        all dell nell usare mostra comandi""",
    "nl": """de het een en van in is dat op te zijn met voor niet die aan er om ook als bij naar dan maar door uit
        over wordt worden werd werden nog wel heeft hebben had was waren ze hij zij wij je jij u ik mij mijn
        uw jouw haar hun ons onze dit deze geen zich tot zo wat wie waar kan kunnen zal moet moeten tegen
        onder na al alle meer veel zonder tussen of omdat toen hier daar heel iets graag""",
    "sv": """och i att det som en på är av för med den till inte om ett han har de jag var vi men hon så sig från
        vid kan ska skall eller hade du man när efter än mot sin sina sitt mycket alla även bara denna detta
        dessa där här nu blev blir vara varit under genom mellan utan över inom också skulle kommer någon
        något några mig dig oss er min mitt din våra vår hur vad vilka""",
    "da": """og i at det som en på er af for med den til ikke om et han har de jeg var vi men hun så sig fra ved kan
        skal eller havde du man når efter end mod sin sine sit meget alle også kun denne dette disse der her
        nu blev bliver være været under gennem mellem uden over inden skulle kommer nogen noget nogle mig dig
        os jer min mit din vores hvordan hvad hvor hvilke hvis af""",
    "no": """og i at det som en på er av for med den til ikke om et han har de jeg var vi men hun så seg fra ved kan
        skal eller hadde du man når etter enn mot sin sine sitt mye alle også bare denne dette disse der her
        nå ble blir være vært under gjennom mellom uten over innen skulle kommer noen noe meg deg oss dere
        min mitt din vår våre hvordan hva hvor hvilke hvis ei""",
    "fi": """ja on ei se että oli hän joka mutta ovat kun myös niin kuin sen mukaan ole tai sekä jos vain nyt hänen
        olen olet olemme voi voidaan tämä tämän tässä siitä sitä ne niiden heidän minun minä sinä me te he
        jotka jonka mitä missä kanssa jälkeen ennen vielä jo hyvin kaikki olla ollut olisi ettei eivät en
        koska sitten mikä kuka tästä""",
    "pl": """i w na z do nie się że to jest o jak po co za od ale a przez dla tak czy był była było być są ma już
        tylko oraz lub które który która którego tego tym tej te ten ta jego jej ich przy może pod go mnie
        mi mu jako aby gdy jeśli u ze we bez także też więc bardzo można nad przed między wszystkie jestem
        mam nas nam pan pani sobie swoje""",
    "cs": """a v na se je že s z do o to i za k ale jako pro po by jsem jsou byl byla bylo být ve ze si od které
        který která tak jak nebo už jen při až podle také své jeho její jejich tento tato toto tom této pokud
        když než co kde má není mezi před nad pod u ke pak ještě však lze můžete aby bude""",
    "sk": """a v na sa je že s z do o to i za k ale ako pre po by som sú bol bola bolo byť vo zo si od ktoré ktorý
        ktorá tak alebo už len pri až podľa tiež svoje jeho jej ich tento táto toto tom tejto ak keď než čo kde
        má nie medzi pred nad pod u ku potom ešte však možno môžete aby bude""",
    "sl": """in je v na da se za so ne pa ki z s po iz o kot bi tudi ali to še bil bila bilo biti pri od do kar če
        le že ker kako lahko kjer med tem tega ta ti te jih jo mu ga sem si smo ste nad pod pred brez več vse
        vsi vseh njegov njihov samo potem ko""",
    "hr": """i u je na da se za su od s sa ne koji koja koje kao iz o do što bi to ili ali po te nije biti bio bila
        bilo samo kako još već ako sve može mogu ovaj ova ovo taj ta tog pri prema između nakon prije kod
        njegov njihov ja mi vi oni smo ste sam ću će""",
    "ro": """și în de la cu pe a al ale care este un o din nu să se pentru că mai sau dar au fost sunt ca prin este
        lui ei lor le îi îl cel cea cele cei acest această acestea acestui ce când unde foarte toate tot fi
        poate după până între fără despre dacă eu tu noi voi fiind era avea am ai are dvs si sa in pot puteți""",
    "hu": """a az és hogy nem is egy ez meg de ha csak már van volt lesz mint vagy még ki mi ő el be fel le aki ami
        amely azt ezt minden után alatt között szerint nagyon kell lehet itt ott akkor mert sem voltak vannak
        én te mi ti ők nekem nincs által majd illetve ezek azok olyan""",
    "tr": """ve bir bu da de için ile olarak çok daha gibi en kadar olan sonra ama ne var yok değil mi mı ben sen o
        biz siz onlar her şey ya veya ki ise göre diye hem şu bunu onu onun bana sana tarafından önce üzerinde
        olduğu olduğunu edilen etmek nasıl neden hiç bazı bütün tüm""",
    "id": """yang dan di ke dari untuk dengan pada ini itu tidak dalam adalah akan atau juga oleh sebagai karena
        dapat bisa ada saya anda kami kita dia mereka sudah telah lebih jika seperti hanya secara antara
        setelah sebelum sangat semua banyak bahwa tersebut lain para agar maka apa bagaimana kepada""",
    "vi": """và của là có không được trong cho một với các những người này đã khi để từ đến ở tôi bạn anh chị ông
        bà chúng như về cũng nhưng thì mà ra vào sẽ đó nếu hay hoặc rất nhiều sau trước theo tại bị""",
    "ca": """el la els les de del dels i en que és un una per amb no es se seu seva al als com més o però aquest
        aquesta aquests ha han estat ser són va era molt ja quan on si també li em et ens meu sense sobre
        entre fins des durant hi perquè què tot tots pot cada altre jo ell ella vostè després abans així té""",
    "et": """ja on ei et see oli ta kui ka aga või mis kes oma siis nii selle ning ma sa me te nad veel juba väga
        kõik saab peab pole mitte kuid enne pärast vahel ainult seda neid minu sinu tema olen""",
    "lv": """un ir ka no ar par uz bet vai kas arī tas tā to viņš viņa es tu mēs jūs ja kā pie pēc bija nav lai tika
        tikai ļoti savu kad kur šis šī starp pirms līdz""",
    "lt": """ir yra kad su iš į bet ar kas tai jis ji aš tu mes jūs jei kaip prie po buvo nėra apie dėl taip tik
        labai savo kai kur šis ši tarp prieš iki ne jo jos jų už""",
    "sq": """dhe të në e i me për një nga që është nuk se si ka u do kjo ky por janë ishte më pas prej duke edhe ose
        unë ti ai ajo ne ju ata""",
    "ga": """agus an na is ar i le go do a ag sé sí bhí tá ní nach mar ach nó leis faoi sin seo aige""",
    "cy": """yn y a i o ar ei mae yr am gan ac wedi oedd bod hyn nid eu fel neu roedd ond sydd chi fy""",
    "is": """og að í á er sem það til um við með ekki en var hann hún ég þú þeir fyrir af frá eða hafa hefur þetta
        þessi verið vera mér þér""",
    "af": """die van en in is het dit nie vir met wat op te om sy was hy aan word deur as by ook ons hulle jy ek
        kan sal maar of uit na""",
    "sw": """na ya wa kwa ni katika za la kuwa hii hiyo ambao ambayo kama lakini au pia yake wao mimi wewe yeye
        sisi""",
    "tl": """ang ng mga sa na at ay ito para si hindi ko mo ka siya kung may ni ako niya kami nila lang""",
}

FUNCTION_WORDS = MappingProxyType(
    {
        code: frozenset(word for word in words.split() if len(word) > 1 or not word.isascii())
        for code, words in _LISTS.items()
    }
)

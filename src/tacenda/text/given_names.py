"""Given names, folded: the short forms of a full one, and the gender of their bearers.

Names that both women and men have (*Alex*, *Robin*, *Andrea*, *Jean*) have no gender here. A name of
the lists with no short form is there for its gender alone, and because it is no short form itself.
"""

from __future__ import annotations

from functools import lru_cache

# One full name a line, then its short forms.
_FEMININE = """
abigail abby abbie gail
adelaide addie heidi
agatha aggie
agnes aggie nessa
agnieszka aga agusia
alexandra alex lexi lexie sandra sandy sasha sacha ola olenka alexa
alina ala
alicja ala
alice ally allie
aleksandra ola olenka sasha
amanda mandy manda
amelia millie amy
anastasia ana nastya nastia stacy stasia tasia
andrea andi
angela angie
angelica angie
anna ann annie nan ania anka aneta anya anja anni
anne annie nan
antonia toni tonia
arabella bella
barbara barb barbie babs basia bara
beata beatka
beatrice bea bee trixie
beatrix bea trixie
beatriz bea
bernadette bernie detta
bettina betty tina
beverley bev
beverly bev
bronislava bronya
bronwen bron
caroline carrie caro carol lina
carolina caro lina
cassandra cass cassie sandra
catherine cathy cath cate kate katie kitty cat cathie
charlotte charlie lottie lotte char
chiara chiaretta
christina chris chrissy tina christy
christine chris chrissie tina chrissy
clara clare
claudia claudi
concepcion concha conchita
consuelo chelo
constance connie
cordelia delia
cynthia cindy
daria dasha dascha
deborah deb debbie debs debby
denise denny
diana di
dolores lola loli
dominika domi
dorota dorotka
dorothy dot dottie dolly dora
dorothea dora thea dorte
edith edie
ekaterina katya katia katja
eleanor ellie nell nora nellie el
elena lena lenka
eleonora nora
elizabeth liz lizzie lizzy beth betty bess bessie eliza betsy libby lisa elsie ellie lilibet
elisabeth lisa elsa liesl lisbeth betty elli else liese
elzbieta ela elka
emily em emmy millie
emilia emi mila
emma em emmy
ernestine erna tina
esther essie hettie
eugenia genie zhenya
eva evi evita
evelyn eve evie
ewa ewka
florence flo florrie flossie
frances fran franny frankie fanny
francesca fran franca
francisca paca paquita
franziska franzi
frederica freddie
gabriela gabi gaby gabrysia
gabriele gabi gaby
gabrielle gabby gaby
galina galya
genevieve gen genny
georgina georgie gina
gertrude gertie trudy trude
gertrud trude
ginevra gina
gloria glo
grazyna grazynka
guadalupe lupe lupita
gwendolyn gwen
gwendoline gwen
hannelore hanne lore
harriet hattie harry
helen nell nellie lena
helena lena hela hella
henrietta hettie etta
henrike rike
hermione minnie
hildegard hilde hilda
honora nora
ilse ilsi
imogen immy
ines inesita
irena irka
irina ira irisha
isabel izzy bella isa chabela
isabella izzy bella bell
isobel izzy
jacqueline jackie
jadwiga jadzia
jane janie janey
janet jan
janice jan
jennifer jen jenny jenni jenna
jessica jess jessie
joanna jo asia joasia
joanne jo
johanna hanna jo hanne
josephine jo josie jo fifi
josefina pepa fina
josefa pepa
judith judy jude
julia jules julka yulya
juliet jules
juliana juli
justyna justa
karolina karola lina
katarzyna kasia kaska kate katia
katarina katja kata
katerina katya katia katka
katharina kathi kati katja kathe
katherine kate katie kathy kat kathie kitty kay katy
kathleen kathy kath kay
kathryn kate kathy kat katie
kimberly kim
kirsten kirsty kirstie
kristina kris tina
krystyna krysia
larisa lara
laura laurie lolly
lauren laurie
leonora nora
lilian lily lil
lieselotte lilo lotte
liliana lili
louise lou lulu
lucia lucy luz
lucinda lucy cindy
ludmila lyuda mila luda
lydia liddy
lyudmila lyuda mila luda
maddalena lena
madeleine maddie mads
madeline maddie mads
magdalena magda lena leni madzia
malgorzata gosia malgosia gocha
marcella marcy
margaret maggie meg peggy margie marge peg madge daisy greta
margarita rita marga margo
margarete grete gretel
margarethe grete greta
margot margo
maria mimi ria mia masha marysia maricarmen maruja
mariana nana
marianne nanne
marina marisha
marjorie marge margie
martha marty mattie
mary molly polly may mamie
mathilda tilly mattie tilda
matilda tilly mattie tilda
maureen mo
melanie mel
melissa mel lissa missy
mercedes merche
michelle shelly mich
mildred millie
milena mila
miriam mim miri
monica mon
monika moni
nadezhda nadya nadia
natalia nat nata natasha talia
natalya natasha nata
natalie nat nattie tally
nicole nicky nikki nic
nicola nicky nikki
octavia tavy
olga olya olia
olivia liv livvy ollie
pamela pam pammy
patience pat
patricia pat patty trish tricia patsy patti
pauline polly
penelope penny pen nell
philippa pippa pip
phyllis phyl
pilar pili
priscilla cilla prissy
prudence pru
rachel rach
raisa raya
rebecca becky becca bex beck
regina gina reggie
renata rena
roberta bobbie robbie
rocio chio
rosalind ros roz
rosalie rosie
rosario charo
rosemary rosie romy
rose rosie
roxana roxy
samantha sam sammy
sarah sally
sara sarita
sharon shaz
sigrid siri
sofia sofie sonya sofiya
sophia sophie
sophie soph
stephanie steph stevie steffi
stefania stefi
susan sue susie suzy
susanna sue susie suzy sanna
suzanne sue suzy susie
svetlana sveta lana svetka
sylvia sylvie
tamara tammy tamar toma tama
tatiana tanya tania tata
tatyana tanya tania
teresa terry tess tere tessa terri
teresita tere
thandeka thandi
theodora dora thea
theresa terry tess tessa tracy resi
tomasina tommie
ursula uschi
valentina valya tina
valerie val
vanessa nessa
vera verusha
verena vreni
veronica vera ronnie roni
veronika vera nika
victoria vicky tori vic vicki vix
viktoria vicky vika
viktoriya vika
vilhelmina mina
violet vi
virginia ginny ginger
vivian viv
wilhelmina mina minnie billie
wilhelmine minna mina
winifred winnie freda
yekaterina katya katia
yelena lena alyona
yelizaveta liza lisa
yevgenia zhenya
zofia zosia
zuzana zuzka
zsofia zsofi
zsuzsanna zsuzsi
"""
_MASCULINE = """
aaron ron
abraham abe bram
abdulrahman abdul
adrian ade adi
alan al
albert al bert bertie albie
alberto beto
alejandro ale jandro alex
aleksander olek alek
aleksandr sasha sanya shura alex
aleksandar sasa aca aco
alexander alex al alec sandy xander sasha sascha lex
alexandre alex xande
alexandros alekos alex
aleksei alyosha lyosha
alexei alyosha lyosha
alfonso poncho
alfred alf alfie fred
alistair al
anatoly tolya
anatoli tolya
anders andy
andreas andi andy
andrew andy drew dru
andrzej jedrek
andrei andryusha
anselm ansi
anthony tony ant
antoni antek
antonin tonda
antonio tono toni tony
antonis toni
archibald archie
arkadi arkasha
arthur art artie
augustus gus
augustin gus
barnabas barney
bartholomew bart
bartosz bartek
bartlomiej bartek
benedict ben
benedikt beni
benjamin ben benji benny
bernard bernie bern
bernhard bernd hardy
bogdan bodya danko
boris borya
boleslaw bolek
bradley brad
cameron cam
charles charlie chuck chas chaz
christian chris
christoph chris stoffel
christopher chris kit topher
christos chris
clarence clary
clifford cliff
clinton clint
constantine con dinos
cornelius connie kees
czeslaw czesiek
daniel dan danny dani
david dave davey davy
demetrius dimi
dennis denny den
desmond des
dieter didi
diego dieguito
dimitri dima mitya
dimitris mitsos dimi
dmitri dima mitya
dmitry dima mitya
dominic dom nic
donald don donny
douglas doug dougie
eberhard ebbe
eduardo edu lalo
edward ed eddie ned ted teddy
edwin ed eddie
eduard edi
edmund ed ned
emanuel manu manny
emil emi
enrique quique kike
ernest ernie
ernesto neto
eugene gene
evgeny zhenya
evgeni zhenya
federico fede fico
felipe pipe
ferdinand ferdi
fernando nando fer
francesco franco cesco
francis frank fran
francisco paco pancho curro fran chico
franciszek franek
franklin frank
frantisek franta
franz franzl
frederick fred freddie rick
friedrich fritz fried
gabriel gabe gabi
geoffrey geoff
georg schorsch
george georgie
georgios yorgos giorgos
gerald gerry jerry
gerard gerry ger
gerhard gerd gerry
giovanni gianni nanni vanni
giancarlo gianca
giuseppe beppe peppe pino
gregor greg
gregory greg
grigori grisha
grzegorz grzesiek
guillermo memo guille
gustav gus
gunter gunni
hans hansi
harold harry hal
heinrich heinz heini
henrik rik
henrique rique
henryk heniek
henry harry hal hank
herbert herb bert
hendrik henk rik
hieronymus ronny
horatio horace
howard howie
hubert bert
hugo huw
humphrey hum
ignacio nacho
ignacy ignas
igor igorek
ilya ilyusha
immanuel manny
isaac ike zak
istvan pista
ivan vanya vania ivo
jack jackie
jacek jacus
jacob jake
jakob jaki
jakub kuba kubus
james jim jimmy jamie jem
jan janek janko honza
janos jani
jaroslav jarda
javier javi
jeffrey jeff
jeremiah jerry
jeremy jem jez
jerome jerry
jerzy jurek
jesus chus chuy
joaquin quino
joachim jochen achim
joao joaozinho
johann hans hannes
johannes hannes hans joop jo
john jack johnny jon
jonathan jon jonny
jordan jord
jorge coque
jose pepe ze chepe
josef sepp pepa pepi
josep pep
joseph joe joey jo
joshua josh
jozef jozek
jozsef joska
juan juanito
julian jules
jurgen
kazimierz kazik
karl kalle
karl-heinz kalle heinz
kenneth ken kenny
kevin kev
khalid khal
klaus klausi
konrad conny
konstantin kostya kosta
konstantinos kostas dinos
krzysztof krzys krzysiek
laszlo laci
lawrence larry laurie
laurence larry laurie
leonard len lenny leo
leonardo leo
leonid lyonya
leopold leo poldi
leszek lechu
lewis lew
louis lou
luis lucho
ludwig lutz
luiz lulu
maciej maciek
maksim max
malcolm mal
manuel manolo manu
marcus marc
martin marty
mateusz mati
matthew matt matty
matthias matze hias
maurice mo
maximilian max maxi
michal michalek
michael mike mick mikey micky mickey micha
michail misha
mikhail misha
miguel migue miki
mihail misha
mikolaj miki
mohamed mo
mohammad mo
mohammed mo
muhammad mo
montgomery monty
nathan nate nat
nathaniel nate nat nathan
nicholas nick nicky nico
nicolas nico nick
nikolai kolya kolia
nikolaus klaus niko
nikolay kolya kolia
nikolaos nikos
norbert nobby
oleg olezhka
oliver ollie oli olly
oluwaseun seun
oswald ozzie
otto ottl
patrick pat paddy
pavel pasha
pawel pawelek
pedro pedrito perico
percival percy
peter pete
petr petya
petros petrakis
philip phil pip
phillip phil
philipp phil
piotr piotrek petya
rafael rafa
rafal rafi
ramon moncho
raymond ray
reginald reg reggie
reinhard reini
ricardo rico richie
richard rich rick ricky dick richie dickie
robert rob bob robbie bobby bert robby
roberto beto
roderick rod
rodrigo rodri
roger rog
roland rolli
roman romek
ronald ron ronnie
rudolf rudi
rupert rupe
ryszard rysiek
salvador salva chava
salvatore toto
samuel sam sammy
santiago santi
sebastian seb basti bastian sebi
sergei seryozha serzh
sergey seryozha
sergio checho
seymour sy
sidney sid
siegfried sigi
simon si
slawomir slawek
solomon sol
stanislav stas standa
stanislaw staszek stas
stanley stan
stefan steff stefek
stephen steve stevie steph
steven steve stevie
stuart stu
szymon szymek
tadeusz tadek
terence terry
thaddeus tad thad
theodore theo ted teddy
theodor theo
thomas tom tommy thom
tiago tico
timothy tim timmy
tobias tobi toby
tomas tomik
tomasz tomek
umberto berto
ulrich uli ulli
valentin val
vasily vasya
vasili vasya
viktor vitya vic
victor vic
vincent vince vinny
vitaly vitalik
vladimir vova volodya vlad
volodymyr vova volodya
walter walt wally
waldemar waldek
werner wernie
wilfred wilf fred
wilhelm willi willy
willem wim pim
william bill billy will willy liam willie
wladyslaw wladek
wojciech wojtek
wolfgang wolfi wolf
yaroslav yarik
yevgeny zhenya
yuri yura
yusuf yus
zachary zach zack
zbigniew zbyszek
zdenek zdena
zygmunt zyga
"""
_ONLY_FEMININE = """
aoife aisha ayse amina amira anita annika ana anais aline amina asha astrid aurelie aylin birgit
brigitte camila camille carla carmen cecilia celia chantal charlene chidinma cristina danielle daniela
delphine edwina eileen elif elin ella ellen elsa emine erika erica esha fatima fatma fiona freya gemma
gillian giulia giulietta grace greta gudrun gunilla hannah hatice hazel heather hedwig heike helga
ida ingrid inga irene iris ivana ivy jasmine jill joan josefine joy julie karen karin katrin kelly kerstin kirsty
lakshmi layla leila leyla lena lesley lila lina linda lisa liselotte lola lorna lucy luisa manon mareike marie
marion marta martina maryam mei meera mehwish miranda moira molly monique nadia naomi nina njeri nora
nour nuria oksana olena petra phoebe pia priya priyanka rania rita ritu rosa roya ruby ruth sabine
saida salma saoirse selma shirin silke silvia simone sinead siobhan sonja stella sunita susanne sylwia
tanja tara teresa tina trudy ulrike ute vesna wanda wendy wioletta xenia yasmin yvonne zahra zainab
zeynep zoe
abena adaeze adwoa amara anjali anneke anwen ayesha azadeh bilquis bushra carys cerys ciara deepika dilek dimitra
eilidh eirini eirlys ewelina farah farida farzana femke folasade funmilayo gulsum hadiza hafsa halima hanneke hina
ifeoma ikram ioana kamala kavita keiko khadija komal latifa liesbeth mahnoor marijke marisol mbali meena meltem mercy
mieke mirela nandini nasreen neelam ngozi niamh nilufer nimra nneka nomvula orla parisa parveen pooja rabia radhika
rashida razia rekha rukhsana sadia saira sakura samina saskia seema serwaa shabana shanthi shazia shreya sushila
sushma swati tahira tomoko ulrika usha vasiliki wanjiru xiomara yetunde yoko yukiko
"""
_ONLY_MASCULINE = """
abdul abdullah ahmad ahmed ahmet ali amir andre antoine arjun ashok aurelio axel ayaan bernd bjorn brandon
brian bruce bruno burak callum carl carlo carlos cem claus colin craig darren declan deepak derek dirk
dylan emre enzo eric erik ethan fabian felix finn florian frank gareth gavin giles giorgio graham
guido gunther harun hasan hassan heinz helmut hiroshi horst hussein huseyin hamza hernan hector ian ibrahim ismail
ivo jaime jamal jason jens jerome jermaine joel johan jonas jorg jurgen kai karim keith kemal kenji khaled
klaus kurt lachlan lars leandro leif leo leon liam luca lukas lutz magnus malik marco marek mario mark marius
markus mathias mattias max mehmet mehdi mert milan mohan murat mustafa neil nigel niklas nils oscar omar
omer osman oskar owen paolo pablo paul per peter pierre pieter rahul raj rajesh ralf ramiro raul reza roger
rolf ross roy russell ryan salim sanjay scott sean sergio simon stig sven takeshi tariq thierry thorsten
tim todd trevor tyrone umut uwe vikram wayne wim wolfgang xavier yannick yasin youssef yunus zoltan
abdi adebayo akira amit anil arash arun arvind asif ayodele babajide babak baris bilal bjarne boubacar cengiz chidi
chinedu cillian cormac daan diarmuid dinesh eamon emeka erhan farhad farid fergus folarin geert hakan haruto hemant
hideo ikenna imran iqbal iwan jalal jasper javed jeroen joost kamal kamran kareem kaveh kenta kofi kojo kunal kwabena
kwaku kwame kwasi lech luuk maarten mahesh manoj marlon masood mikkel mukesh nadeem naveed niall nikhil nnamdi obinna
oisin olumide padraig pradeep prakash pranav rafiq rajiv rakesh ramesh rashid ravi rhys rohan rohit ruairi sachin
sajid salman sandeep sanjeev selim senthil shahid shinji siddharth sipho sjoerd sunil suresh tarek thabo tunde uche
usman vijay vikas vinod wasim yaw yiannis zaheer zeeshan
"""


@lru_cache(maxsize=1)
def _tables() -> tuple[dict[str, frozenset[str]], dict[str, str]]:
    """Return the full names by name, and the genders by name."""
    full: dict[str, set[str]] = {}
    genders: dict[str, set[str]] = {}
    for gender, table, more_names in (
        ("f", _FEMININE, _ONLY_FEMININE),
        ("m", _MASCULINE, _ONLY_MASCULINE),
    ):
        for line in table.splitlines():
            names = line.split()
            for name in names:
                full.setdefault(name, set()).add(names[0])
                genders.setdefault(name, set()).add(gender)
        for name in more_names.split():
            full.setdefault(name, set())
            genders.setdefault(name, set()).add(gender)
    return (
        {name: frozenset((name, *names)) for name, names in full.items()},
        {name: next(iter(both)) for name, both in genders.items() if len(both) == 1},
    )


_BOTH = frozenset(
    "alex andrea jean kim lee robin sasha terry jackie jules jordan simone vanya".split()
)
_PATRONYMICS = (("m", ("ovich", "evich", "owicz")), ("f", ("ovna", "evna", "ichna")))
_FEMININE_ENDINGS = ("iana", "ina", "ena", "elle", "ette", "ovna", "evna")


def full_names(name: str) -> frozenset[str]:
    """The names that a folded given name may stand for, itself among them."""
    return _tables()[0].get(name, frozenset((name,)))


def is_common_given_name(name: str) -> bool:
    """Return whether a folded name is in the lists."""
    return name in _tables()[0]


def gender_by_names(names: tuple[str, ...]) -> str:
    """The gender of a person with these folded names, ``m`` or ``f``; empty where they don't tell.

    The first name decides, then a patronymic.
    """
    if not names:
        return ""
    gender = "" if names[0] in _BOTH else _tables()[1].get(names[0], "")
    if gender:
        return gender
    for name in names[1:]:
        for gender, endings in _PATRONYMICS:
            if name.endswith(endings):
                return gender
    return "f" if len(names[0]) > 4 and names[0].endswith(_FEMININE_ENDINGS) else ""

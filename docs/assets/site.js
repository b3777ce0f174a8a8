// What the theme adds to a page in the browser, for who hears it or has no mouse: the button of a block of
// code is no landmark, and a table that is wider than the page can be scrolled by keys.
const mend = () => {
  document
    .querySelectorAll("nav.md-code__nav:not([role])")
    .forEach((nav) => nav.setAttribute("role", "presentation"));
  document
    .querySelectorAll(".md-typeset__scrollwrap:not([tabindex])")
    .forEach((wrap) => wrap.scrollWidth > wrap.clientWidth && wrap.setAttribute("tabindex", "0"));
};
new MutationObserver(mend).observe(document.documentElement, { childList: true, subtree: true });

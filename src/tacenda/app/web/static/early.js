// Keys that are pressed while the page still loads: kept, and given back in order once the page listens.
(() => {
  const kept = [];
  const keep = (event) => {
    if (!event.isTrusted || event.repeat || event.altKey || !/^(.|Enter)$/u.test(event.key)) return;
    if ((event.ctrlKey || event.metaKey) && event.key !== "Enter") return;
    kept.push(event);
    event.preventDefault();
  };
  document.addEventListener("keydown", keep, true);
  globalThis.earlyKeys = () => {
    document.removeEventListener("keydown", keep, true);
    return kept.splice(0);
  };
})();

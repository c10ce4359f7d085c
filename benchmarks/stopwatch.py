"""The stopwatch that runs in the page: from the release of the slider to the frame that shows the new chart.

The chart counts as repainted with the frame after the last change inside any Plotly chart: a page that draws twice is
timed to the second drawing. The first chart of a visit is the server's drawing, where that comes before Plotly's. A
frame is painted when a message posted from its animation callback arrives.
"""

STOPWATCH = """
(() => {
  const watch = window.__stopwatch = {released: 0, first: 0, last: 0, chart: 0, asked: 0, ran: 0};
  const app = () => document.querySelector('[data-testid="stApp"]');
  const inside = node => Boolean((node.closest ? node : node.parentElement)?.closest?.(".js-plotly-plot"));
  const brings = node => Boolean(node.querySelector?.(".js-plotly-plot"));
  const pictured = () => document.querySelector(".js-plotly-plot .main-svg, .ldp-sketch svg");
  const drawn = () => document.querySelector(".js-plotly-plot .main-svg");
  addEventListener("pointerup", event => {
    Object.assign(watch, {released: event.timeStamp, first: 0, last: 0});
  }, true);
  const afterPaint = then => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => then(performance.now());
    requestAnimationFrame(() => channel.port2.postMessage(0));
  };
  const painted = now => {
    if (watch.released) { watch.last = now; watch.first ||= now; }
  };
  let running = false;
  new MutationObserver(changes => {
    const state = app()?.dataset.testScriptState;
    if (state === "running") { running = true; watch.asked ||= window.__socket.opened; }
    if (running && state === "notRunning") watch.ran ||= performance.now();
    if (!watch.chart && pictured()) afterPaint(now => { watch.chart ||= now });
    const touched = changes.some(change => inside(change.target) || [...change.addedNodes].some(brings));
    if (touched && drawn()) afterPaint(painted);
  }).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
})();
"""

// To another address of the app, as the browser's own ways back and forth lead: one step of its history, nothing loaded.

/** @param {string} address relative to the present one */
export const go = address => {
  const { href } = new URL(address, location.href)
  if (href === location.href) return  // a key that is pressed twice before the page has come
  history.pushState({}, "", href)
  dispatchEvent(new PopStateEvent("popstate", { state: {} }))  // which Streamlit answers by running the page there
}

"""The few styles that Streamlit's theme cannot express; everything else is in `.streamlit/config.toml`."""

from explorer.navigation import entries

# What only carries scripts and scenes takes no room. Each by its name: a selector for parts of names would be tried
# for all that a figure draws.
_UNSEEN = ", ".join(f".st-key-stage_{entry.slug}_{part}" for entry in entries() for part in ("engine", "strip"))
_UNSEEN += ", .st-key-presenting"

_STYLES = """<style>
[data-testid="stMainBlockContainer"] { padding: 1.25rem 2.5rem 2rem; max-width: 92rem; }
[data-testid="stMainBlockContainer"] h1 { padding: 0 0 .25rem; text-wrap: balance; }
.st-key-answer > * > .stMarkdown p { font-size: 1.25rem; line-height: 1.5; text-wrap: pretty; }
.stApp .st-key-lead p { font-size: 1.0625rem; line-height: 1.3; margin: -.5rem 0 0; }
.st-key-task { padding: .4rem .8rem; border-inline-start: 4px solid #0B5FA5; }
.st-key-task > :first-child { flex: 1 1 0; }
.st-key-task p { line-height: 1.35; }
.st-key-settings { font-size: .9375rem; }
@media (max-width: 1180px) {
  .st-key-room [data-testid="stColumn"] { min-width: 100%; }
  [data-testid="stMainBlockContainer"] h1 { font-size: 1.4rem; }
}
@media (max-width: 640px) {
  /* The question stands beside the button that opens the list of pages; the bar behind that button is not seen. */
  [data-testid="stMainBlockContainer"] { padding: .75rem 1rem 1rem; }
  [data-testid="stMainBlockContainer"] h1 { font-size: 1.25rem; min-height: 2.5rem; padding-inline-start: 2.75rem; }
  [data-testid="stHeader"] { background: none; pointer-events: none; }
  [data-testid="stHeader"] button { background: #fff; background: light-dark(#fff, #12161C); pointer-events: auto; }
  html:not([data-ldp-settings]) .st-key-settings { display: none; }
  .st-key-task { padding: 0; padding-inline-start: 2.75rem; border: 0; }
  .st-key-task p { font-size: .9375rem; }
  .stApp .st-key-lead p { font-size: 1rem; margin: 0; }
  :has(> * > .st-key-task) h1, :has(> .st-key-task) h1 { padding-inline-start: 0; min-height: 0; }
}
[data-testid="stLayoutWrapper"]:has(> .st-key-ways) { order: -1; }
@media (max-height: 480px) and (min-aspect-ratio: 3/2) {
  /* A phone on its side: the same, lower; and the list of pages lies over the page, closed until it is asked for. */
  [data-testid="stMainBlockContainer"] { padding: .35rem 1rem 1rem; }
  [data-testid="stMainBlockContainer"] h1 { font-size: 1.0625rem; min-height: 2.25rem; padding: .35rem 0 0;
    padding-inline-start: 2.75rem; }
  .stApp .st-key-lead p { font-size: .9375rem; margin: -.5rem 0 0; padding-inline-start: 2.75rem; }
  .st-key-task { padding: 0; padding-inline-start: 2.75rem; border: 0; }
  [data-testid="stHeader"] { background: none; pointer-events: none; }
  [data-testid="stHeader"] button { background: #fff; background: light-dark(#fff, #12161C); pointer-events: auto; }
  [data-testid="stSidebar"] { position: fixed !important; z-index: 1000; height: 100% !important; }
  html:not([data-ldp-arrived]) [data-testid="stSidebar"] { display: none; }
  html:not([data-ldp-settings]) .st-key-settings { display: none; }
}
.st-key-line { display: none; }
html:not([data-ldp-framed]) .st-key-framed { display: none; }
@media (max-width: 640px), (max-height: 480px) and (min-aspect-ratio: 3/2) { .st-key-line { display: block; } }
.ldp-settings { display: flex; }
/* The accent of the dark theme can be read as text, so what is written on it is dark; without waiting for a run. */
[data-testid="stBaseButton-primary"], [data-testid="stMultiSelect"] [data-tag-index] {
  color: light-dark(#fff, #0E141D);
}
.katex, .stApp pre, .stApp code { direction: ltr; }
/* Streamlit aligns headings and paragraphs to the left, whatever the direction. */
[dir=rtl] :is([data-testid="stHeading"], [data-testid="stMarkdown"]) :is(div, h1, h2, h3, p, li) {
  text-align: start !important;
}
[dir=rtl] [data-testid="stSidebar"]:is([data-collapsed=true], [aria-expanded=false]) { visibility: hidden; }
.stApp a:focus-visible, .stApp label:has(input:focus-visible) { outline: 2px solid; outline-offset: 1px; }
.ldp-ends { display: flex; justify-content: space-between; gap: 1rem; font-size: .875rem; margin-top: -.9rem; }
.ldp-ends p, .ldp-quiet { font-size: .875rem; margin: 0; }
.st-key-unread, .st-key-unread_more { display: none; }
.ldp-table { overflow: auto; max-height: 24rem; max-width: 100%; }
.ldp-table table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .875rem; }
.ldp-table th, .ldp-table td {
  padding: .25rem .6rem; text-align: end; white-space: nowrap; border-bottom: 1px solid rgba(128, 128, 128, .3);
}
.ldp-table th:first-child, .ldp-table td:first-child { text-align: start; }
[data-testid="stMarkdownContainer"] table { display: block; max-width: 100%; overflow-x: auto; }
.ldp-words { overflow-x: auto; }
.ldp-words table { border-collapse: collapse; width: 100%; }
.ldp-words th, .ldp-words td {
  padding: .5rem .75rem; text-align: start; vertical-align: top; border-bottom: 1px solid rgba(128, 128, 128, .3);
}
.ldp-words a { color: inherit; }
.ldp-words summary { padding: .6rem 0; font-weight: 600; cursor: pointer; }
.ldp-words td:nth-child(2) { min-width: 14rem; }
.ldp-words td[lang=fa] { font-size: 1.1em; }
.ldp-words [scope=rowgroup] { padding-top: 1.5rem; font-size: 1.1rem; }
@media (max-width: 640px) {
  .ldp-words thead { display: none; }
  .ldp-words tr, .ldp-words th, .ldp-words td { display: block; border: 0; padding: .1rem 0; }
  .ldp-words td[data-head]::before { content: attr(data-head) ": "; font-weight: 600; }
  .ldp-words tr { padding: .75rem 0; border-bottom: 1px solid rgba(128, 128, 128, .3); }
}
@media (max-width: 640px) {
  [data-testid="stMarkdownContainer"] :is(th, td) { padding: .3rem .4rem; }
  [data-testid="stMarkdownContainer"] td:nth-child(3) { min-width: 8rem; }
}
.ldp-qr svg { width: 100%; max-width: 18rem; height: auto; background: #fff; }
@page { margin: 12mm 14mm; }
@media print {
  [data-testid="stSidebar"], [data-testid="stHeader"], [data-testid="stToolbar"], .st-key-foot,
  .st-key-settings, .st-key-line { display: none !important; }
  [data-testid="stMainBlockContainer"] { padding: 0; max-width: none; }
  [data-testid="stFileUploader"], .stButton, .stDownloadButton, .stTextInput, [class*="_below"] { display: none; }
  .ldp-words details::details-content { content-visibility: visible; }
  tr, p, li { break-inside: avoid; }
  .ldp-table { max-height: none; overflow: visible; }
  thead { display: table-header-group; }
}
@media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important; } }
</style>"""
EVERYWHERE = f"<style>{_UNSEEN} {{ position: absolute; width: 0; height: 0; overflow: hidden; }}</style>{_STYLES}"

# On paper the light turns around: ink on white, with hues that stay. Browsers before 2024 learn from the server alone
# that their page is dark.
DARK = """<style>
@supports not (color: light-dark(#fff, #000)) {
  [data-testid="stBaseButton-primary"], [data-testid="stMultiSelect"] [data-tag-index] { color: #0E141D; }
  @media (max-width: 640px) { [data-testid="stHeader"] button { background: #12161C; } }
}
@media print {
  html, body, .stApp, .stApp :not(.ldp-stage *) { background: transparent !important; }
  [data-testid="stMainBlockContainer"] { filter: invert(1) hue-rotate(180deg); }
  .ldp-qr svg { filter: invert(1); }
}
</style>"""

LECTURE = """<style>
html { font-size: max(26px, min(2.03125vw, 3.6111vh)); }
[data-testid="stMainBlockContainer"] { padding: .4rem 1.25rem 1rem; max-width: none; }
[data-testid="stMainBlockContainer"] h1 { font-size: min(1.1rem, 4.2vh); padding: 0; }
html:not([data-ldp-settings]) .st-key-settings { display: none; }
.st-key-line { display: block; }
.stApp .st-key-lead p { font-size: min(1rem, 4vh); margin: 0; }
.st-key-answer > * > .stMarkdown p { font-size: min(1rem, 4vh); line-height: 1.25; }
[data-testid="stSidebar"], [data-testid="stHeader"], [data-testid="stExpandSidebarButton"] { display: none; }
</style>"""

# The two curves of the overview; kept here, because Streamlit would fetch a symbol's picture from another server.
ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#0B5FA5"/>'
    '<path d="M3 25 L13 7 L25 25" fill="none" stroke="#fff" stroke-width="3" stroke-linejoin="round"/>'
    '<path d="M8 25 L19 7 L29 25" fill="none" stroke="#F0A55C" stroke-width="3" stroke-linejoin="round"/></svg>'
)

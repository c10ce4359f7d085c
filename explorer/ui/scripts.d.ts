// What the scripts take for granted, for the type checker alone: no browser loads this file.

/** What Streamlit hands to the script of a component. */
interface Component<Data> {
  data: Data
  parentElement: HTMLElement
  setStateValue(name: string, value: unknown): void
  setTriggerValue(name: string, value: unknown): void
}

/** What another host hands to the stage: a scene, its strip, its place, and who hears of it. */
type Hosted = Pick<Component<Uint8Array>, "data" | "parentElement"> & Partial<Component<Uint8Array>> & { strip?: Uint8Array }

interface HTMLElement {
  /** The HTML or the drawing that was last written into it. */
  written?: string
  drawn?: string | null
  /** The stage that lives in it. */
  stage?: Stage
}

/** The phone's page (explorer/poll/phone), which stands before the script of explorer/ui/phone.js where it is sent. */
declare function mountPhone(root: HTMLElement, given: Record<string, unknown>): void

type Stage = import("./stage/stage.js").Stage

/** The words of a scene, and its figure or "null", both as the JSON that the server has sent. */
type EncodedScene = [words: string, figure: string]
type Strip = { token: string; scenes: Map<number, EncodedScene>; size: number }

interface Shared {
  strips: Map<string, Strip>
  stages: Map<string, Stage>
  waiting: (() => void)[]
  /** Plotly as it is asked for: by the stage, or by a host that has one of its own and says so before it mounts. */
  plotly: Promise<Plotly | null> | null
  Plotly?: Plotly
  Stage?: typeof import("./stage/stage.js").Stage
}

interface Navigator {
  connection?: { saveData: boolean }
}

interface Window {
  Plotly?: Plotly
  ldpStages?: Partial<Shared>
  ldpPage?: string
  /** Ends the listening for keys that is under way. */
  ldpKeys?: () => void
  ldpNotes?: () => void
  /** How a file that travels unpacks its parts and runs its scripts. */
  ldpUnpack: (id: string) => Promise<string>
  ldpRun: (id: string) => Promise<void>
}

/** The parts of a scene that are words. */
type WordsOfScene = { answer: string; note: string; alt: string; drawing: string | null; sketch?: string; takes?: Take[] }
type Take = { text: string; set: boolean; settings: Record<string, unknown> }
type Option = { slug: string; title: string }
type HandleWords = {
  name: string
  stops: number[]
  written: string[]
  spoken: string[]
  notes: string[]
  index: number
  ends: [string, string]
  exact: string
}
type Head = {
  key: string
  views: Option[]
  more: Option[]
  chosen: string
  labels: Record<string, string>
  handle: HandleWords | null
  token: string
  heard: number
  template: Template | null
  plotly: string  // the address of Plotly's script below that of the app; empty: the sketch of each scene is its figure
  direction: string
  lecture: boolean
  least: number
  stem: string
  origin: { source: string; symbol: string }
}
type Template = { layout?: { font?: { size?: number; family?: string } } }

/** Numbers as the server packs them: what they are, and their bytes in letters. */
type Packed = { dtype: Dtype; bdata: string }
type Dtype = "f8" | "f4" | "i4" | "u4" | "i2" | "u2" | "i1" | "u1"

// Of Plotly's own types only what is used; what it derives is nobody's promise.
type Trace = Record<string, any>
type Layout = Record<string, any>
type Figure = { data: Trace[]; layout: Layout; frames?: unknown[] }
/** What stands drawn: its traces, and all that is not traces as text. */
type Drawn = { data: Trace[]; replayed: boolean; around: string; template: unknown }
type Difference = { path: string; one: any; other: any }
type Emitted = Record<string, any>

interface Plotly {
  version: string
  react(place: HTMLElement, figure: Figure & { config: object }): Promise<unknown>
  restyle(place: HTMLElement, change: object, traces: number[]): Promise<unknown>
  purge(place: HTMLElement): void
  downloadImage(figure: Figure, options: object): Promise<unknown>
}

/** A place in which Plotly has drawn, or will. */
interface PlotlyPlace extends HTMLElement {
  busy?: boolean
  data: Trace[]
  calcdata: any[]
  _fullData: Trace[]
  _fullLayout: Layout
  _transitionData?: { _frames: unknown[] }
  on(name: string, heard: (event: Emitted) => void): void
  emit(name: string): void
}

/** What a course platform gives to a file by SCORM 1.2. */
interface Scorm {
  LMSInitialize(nothing: string): string
  LMSSetValue(name: string, value: string): string
  LMSCommit(nothing: string): string
  LMSFinish(nothing: string): string
}

/** What a file that travels says of itself. */
type Travelling = { version: string; drawn: boolean; scored: boolean; editions: TravelEdition[] }
type TravelEdition = {
  language: string
  direction: string
  title: string
  labels: Record<string, string>
  notes: string
  steps: TravelStep[]
}
type TravelStep = {
  name: string
  title: string
  question: string
  predict: boolean
  control: string
  task: string[]
  remark: string
  versions: TravelVersion[]
}
type TravelVersion = { title: string; source: string; link: string; states: Record<string, string> }
/** A view at every stop: its head, with the template of dark paper and its usual colors, and its scenes. */
type TravelState = { head: Head & { dark: Template | null; colors: Record<string, string>; settings: string }; scenes: TravelScene[] }
type TravelScene = {
  texts: EncodedScene
  unusual: (number | string)[]
  below: { why: string; tasks: [string, string][]; numbers?: string }
}

/** On whose behalf the process works at this moment, for the lines of the log and for spans. */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface Scene {
  /** Of the call. */
  readonly reference?: string
  readonly organisationId?: string
  readonly runId?: string
  readonly traceId?: string
  /** What belongs to the tracer alone. */
  readonly span?: unknown
}

const scenes = new AsyncLocalStorage<Scene>()

/** Whatever the work calls, at once or later, is done in this scene; what it does not say holds from the one around it. */
export function inScene<T>(scene: Scene, work: () => T): T {
  return scenes.run({ ...scenes.getStore(), ...scene }, work)
}

export function currentScene(): Scene {
  return scenes.getStore() ?? {}
}

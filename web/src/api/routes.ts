/**
 * The contract's routes as types only: no schema and no zod reaches the browser. A call is named by `'METHOD /path'`, and what
 * it takes and gives follows from the name.
 */
import type { AnyRoute } from '@tributary/contract/routes'

type ByName<R> = R extends { method: infer M extends string; path: infer P extends string } ? { [K in `${M} ${P}`]: R } : never
type Together<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never
type Routes = Together<ByName<AnyRoute>>
export type CallName = keyof Routes & string

type Taken<Schema> = Schema extends { _zod: { input: infer In } } ? In : never
type Given<Schema> = Schema extends { _zod: { output: infer Out } } ? Out : never
type Part<R, K extends 'params' | 'query' | 'body'> = R extends { [P in K]: infer Schema }
  ? Record<never, never> extends Taken<Schema>
    ? { [P in K]?: Taken<Schema> }
    : { [P in K]: Taken<Schema> }
  : Record<never, never>

export type Ask<Name extends CallName> = Part<Routes[Name], 'params'> &
  Part<Routes[Name], 'query'> &
  Part<Routes[Name], 'body'> & { signal?: AbortSignal }
export type Reply<Name extends CallName> = Routes[Name] extends { reply: infer Schema } ? Given<Schema> : undefined

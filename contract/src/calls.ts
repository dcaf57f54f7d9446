/**
 * The contract's routes as types only: no schema and no zod reaches a browser. A call is named by `'METHOD /path'`, and what
 * it takes and gives follows from the name.
 */
import type { workbookType } from './route.ts'
import type { AnyRoute } from './routes.ts'

type Routes = { [R in AnyRoute as `${R['method']} ${R['path']}`]: R }
export type CallName = keyof Routes & string

type Taken<Schema> = Schema extends { _zod: { input: infer In } } ? In : never
type Given<Schema> = Schema extends { _zod: { output: infer Out } } ? Out : never
type Part<R, K extends 'params' | 'query' | 'body'> = R extends { [P in K]: infer Schema }
  ? Record<never, never> extends Taken<Schema>
    ? { [P in K]?: Taken<Schema> }
    : { [P in K]: Taken<Schema> }
  : Record<never, never>

/** What is sent as it is. */
type Sent<R> = R extends { takes: string } ? { file: Blob } : Record<never, never>
type AskOf<R> = Plain<Part<R, 'params'> & Part<R, 'query'> & Part<R, 'body'> & Sent<R> & { signal?: AbortSignal }>
type Plain<T> = { [Key in keyof T]: T[Key] }
type ArgumentsOf<A> = Record<never, never> extends A ? [ask?: A] : [ask: A]
/** A text that a route produces comes as it is, a workbook as its bytes. */
type ReplyOf<R> = R extends { reply: infer Schema }
  ? Given<Schema>
  : R extends { produces: typeof workbookType }
    ? Blob
    : R extends { produces: string }
      ? string
      : undefined

interface Call<R> {
  readonly arguments: ArgumentsOf<AskOf<R>>
  readonly reply: ReplyOf<R>
}
type Calls = { [Name in CallName]: Call<Routes[Name]> }

// By `infer`, so that the compiler looks at the one call that is named; all of them at once are too many for it.
export type Arguments<Name extends CallName> = Calls[Name] extends { arguments: infer Taken extends readonly unknown[] }
  ? Taken
  : never
export type Reply<Name extends CallName> = Calls[Name] extends { reply: infer Given } ? Given : never
export type Ask<Name extends CallName> = AskOf<Routes[Name]>

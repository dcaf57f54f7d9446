/**
 * The contract's routes as types only: no schema and no zod reaches a browser. A call is named by `'METHOD /path'`, and what
 * it takes and gives follows from the name.
 */
import type { workbookType } from './route.ts'
import type { AnyRoute } from './routes.ts'

type Routes = { [R in AnyRoute as `${R['method']} ${R['path']}`]: R }
export type CallName = keyof Routes & string

type SchemaInput<Schema> = Schema extends { _zod: { input: infer In } } ? In : never
type SchemaOutput<Schema> = Schema extends { _zod: { output: infer Out } } ? Out : never
type RequestPart<R, K extends 'params' | 'query' | 'body'> = R extends { [P in K]: infer Schema }
  ? Record<never, never> extends SchemaInput<Schema>
    ? { [P in K]?: SchemaInput<Schema> }
    : { [P in K]: SchemaInput<Schema> }
  : Record<never, never>

/** What is sent as it is. */
type RequestFile<R> = R extends { takes: string } ? { file: Blob } : Record<never, never>
type RouteRequest<R> = Flattened<
  RequestPart<R, 'params'> &
    RequestPart<R, 'query'> &
    RequestPart<R, 'body'> &
    RequestFile<R> & { signal?: AbortSignal }
>
type Flattened<T> = { [Key in keyof T]: T[Key] }
type RouteArguments<A> = Record<never, never> extends A ? [ask?: A] : [ask: A]
/** A text that a route produces comes as it is, a workbook as its bytes. */
type RouteReply<R> = R extends { reply: infer Schema }
  ? SchemaOutput<Schema>
  : R extends { produces: typeof workbookType }
    ? Blob
    : R extends { produces: string }
      ? string
      : undefined

interface RouteCall<R> {
  readonly arguments: RouteArguments<RouteRequest<R>>
  readonly reply: RouteReply<R>
}
type RouteCalls = { [Name in CallName]: RouteCall<Routes[Name]> }

// By `infer`, so that the compiler looks at the one call that is named; all of them at once are too many for it.
export type Arguments<Name extends CallName> = RouteCalls[Name] extends {
  arguments: infer Parameters extends readonly unknown[]
}
  ? Parameters
  : never
export type CallReply<Name extends CallName> = RouteCalls[Name] extends { reply: infer Reply } ? Reply : never
export type CallRequest<Name extends CallName> = RouteRequest<Routes[Name]>

/**
 * The contract's routes as types only, so that neither schemas nor zod are bundled for browsers. A call is named
 * `'METHOD /path'`; the types of its request and reply follow from the name.
 */
import type { parquetType, workbookType, zipType } from './route.ts'
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

/** A file that is sent as the raw body. */
type RequestFile<R> = R extends { takes: string } ? { file: Blob } : Record<never, never>
type RouteRequest<R> = Flattened<
  RequestPart<R, 'params'> &
    RequestPart<R, 'query'> &
    RequestPart<R, 'body'> &
    RequestFile<R> & { signal?: AbortSignal }
>
type Flattened<T> = { [Key in keyof T]: T[Key] }
type RouteArguments<A> = Record<never, never> extends A ? [ask?: A] : [ask: A]
/** Text is returned as a string, a file as a Blob. */
type RouteReply<R> = R extends { reply: infer Schema }
  ? SchemaOutput<Schema>
  : R extends { produces: typeof workbookType | typeof parquetType | typeof zipType }
    ? Blob
    : R extends { produces: string }
      ? string
      : undefined

interface RouteCall<R> {
  readonly arguments: RouteArguments<RouteRequest<R>>
  readonly reply: RouteReply<R>
}
type RouteCalls = { [Name in CallName]: RouteCall<Routes[Name]> }

// `infer` makes the compiler resolve only the named call; resolving all at once exceeds its limits.
export type Arguments<Name extends CallName> = RouteCalls[Name] extends {
  arguments: infer Parameters extends readonly unknown[]
}
  ? Parameters
  : never
export type CallReply<Name extends CallName> = RouteCalls[Name] extends { reply: infer Reply } ? Reply : never
export type CallRequest<Name extends CallName> = RouteRequest<Routes[Name]>

/** The calls as the published description tells them; nothing else is known of the API here. */
import type { Answer } from './send.ts'
import type { Schema } from './schema.ts'

export interface Operation {
  /** `POST /areas/{areaId}` */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query'
    readonly required: boolean
    readonly schema: Schema
  }[]
  readonly body: Schema | undefined
  /** A file, as it is. */
  readonly takesFile: boolean
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
  readonly isOpen: boolean
}

interface Told extends Omit<Operation, 'name' | 'method' | 'path' | 'body' | 'takesFile' | 'isOpen'> {
  readonly security: readonly unknown[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

export interface Description {
  readonly document: object
  readonly operations: readonly Operation[]
}

export function readDescription({ text }: Answer): Description {
  const document = JSON.parse(text) as { readonly paths: Readonly<Record<string, Readonly<Record<string, Told>>>> }
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody, responses, security }]): Operation => {
      const taken = requestBody?.content ?? {}
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        parameters,
        body: taken['application/json']?.schema,
        takesFile: 'application/octet-stream' in taken,
        responses,
        isOpen: security.length === 0,
      }
    }),
  )
  return { document, operations }
}

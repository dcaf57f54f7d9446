/** Reads the operations from the published API description, the only source that the programme uses. */
import type { FuzzResponse } from './send.ts'
import type { JsonSchema } from './schema.ts'

export interface ApiOperation {
  /** `POST /areas/{areaId}` */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query'
    readonly required: boolean
    readonly schema: JsonSchema
  }[]
  readonly body: JsonSchema | undefined
  /** Whether the body is a binary file. */
  readonly takesFile: boolean
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>> }>
  >
  readonly isOpen: boolean
}

interface DocumentedOperation extends Omit<ApiOperation, 'name' | 'method' | 'path' | 'body' | 'takesFile' | 'isOpen'> {
  readonly security: readonly unknown[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
}

export interface ApiDescription {
  readonly document: object
  readonly operations: readonly ApiOperation[]
}

export function readDescription({ text }: FuzzResponse): ApiDescription {
  const document = JSON.parse(text) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  }
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody, responses, security }]): ApiOperation => {
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

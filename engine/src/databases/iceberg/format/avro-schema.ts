/** Schemas and values of Avro. */

export type AvroSchema =
  | string
  | readonly AvroSchema[]
  | { readonly type: 'record'; readonly name: string; readonly fields: readonly AvroField[] }
  | { readonly type: 'array'; readonly items: AvroSchema; readonly [attribute: string]: unknown }
  | { readonly type: 'map'; readonly values: AvroSchema }
  | { readonly type: 'fixed'; readonly name: string; readonly size: number; readonly [attribute: string]: unknown }
  | { readonly type: AvroSchema; readonly [attribute: string]: unknown }

export interface AvroField {
  readonly name: string
  readonly type: AvroSchema
  readonly [attribute: string]: unknown
}

export type AvroValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly AvroValue[]
  | { readonly [field: string]: AvroValue }

/** Visuals of a report page: https://developer.microsoft.com/json-schemas/fabric/item/report/definition/visualContainer */

export interface Field {
  readonly table: string
  readonly name: string
  readonly kind: 'column' | 'measure'
}

/** In pixels of a page of 1280 by 720. */
export interface Position {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Visual {
  readonly type: 'card' | 'slicer' | 'lineChart' | 'columnChart' | 'pivotTable' | 'tableEx' | 'textbox'
  readonly position: Position
  /** Read by screen readers. */
  readonly title: string
  /** The fields of each role of the visual, such as `Category` and `Y`. */
  readonly roles?: Readonly<Record<string, readonly Field[]>>
  /** Of a text box. */
  readonly paragraphs?: readonly { readonly text: string; readonly size: number; readonly isBold?: boolean }[]
}

const visualSchema =
  'https://developer.microsoft.com/json-schemas/fabric/item/report/definition/visualContainer/2.2.0/schema.json'

/** @param at the visual's place in the reading order of its page */
export function visualFile(visual: Visual, name: string, at: number): object {
  const { type, position, title, roles, paragraphs } = visual
  const query = roles === undefined ? {} : { query: { queryState: queryState(roles) } }
  const objects =
    paragraphs === undefined
      ? {}
      : { objects: { general: [{ properties: { paragraphs: paragraphs.map(paragraph) } }] } }
  return {
    $schema: visualSchema,
    name,
    position: { ...position, z: at, tabOrder: at },
    visual: {
      visualType: type,
      ...query,
      ...objects,
      visualContainerObjects: {
        ...(paragraphs === undefined ? { title: [{ properties: { show: literal('true'), text: text(title) } }] } : {}),
        general: [{ properties: { altText: text(title) } }],
      },
      drillFilterOtherVisuals: true,
    },
  }
}

function queryState(roles: Readonly<Record<string, readonly Field[]>>): object {
  return Object.fromEntries(
    Object.entries(roles).map(([role, fields]) => [role, { projections: fields.map(projection) }]),
  )
}

function projection({ table, name, kind }: Field): object {
  const expression = { Expression: { SourceRef: { Entity: table } }, Property: name }
  return {
    field: kind === 'column' ? { Column: expression } : { Measure: expression },
    queryRef: `${table}.${name}`,
    nativeQueryRef: name,
  }
}

function paragraph({ text: value, size, isBold = false }: NonNullable<Visual['paragraphs']>[number]): object {
  const textStyle = { fontSize: `${size}pt`, ...(isBold ? { fontWeight: 'bold' } : {}) }
  return { textRuns: [{ value, textStyle }] }
}

function literal(value: string): object {
  return { expr: { Literal: { Value: value } } }
}

function text(value: string): object {
  return literal(`'${value.replaceAll("'", "''")}'`)
}

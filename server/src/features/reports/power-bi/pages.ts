/** The pages of the report: an overview, a page for each ready question, and pages for tables with a date. */
import { dateTableName } from './date-table.ts'
import type { ModelMeasure } from './measures.ts'
import { humanised } from './names.ts'
import type { ModelTable, SemanticModel } from './semantic-model.ts'
import type { Field, Position, Visual } from './visuals.ts'

export interface ReportPage {
  /** Unique in the report; at most 50 letters, digits and underscores. */
  readonly id: string
  readonly title: string
  readonly visuals: readonly Visual[]
}

const questionPagesMax = 12
const tablePagesMax = 4
const cardsMax = 4
const tableColumnsMax = 8

export function reportPages(model: SemanticModel, organisation: string): readonly ReportPage[] {
  const shown = model.tables.filter(({ source }) => source.purpose !== 'rights')
  const questions = shown.filter(({ source }) => source.amounts.length > 0).slice(0, questionPagesMax)
  const dated = shown.filter(({ source, name }) => source.amounts.length === 0 && hasDate(model, name))
  return [
    overviewPage(model, organisation, questions.length > 0 ? questions : shown),
    ...questions.map((table, at) => questionPage(model, table, `question_${at + 1}`)),
    ...dated.slice(0, tablePagesMax).map((table, at) => tablePage(table, `table_${at + 1}`)),
  ]
}

function hasDate({ relationships }: SemanticModel, table: string): boolean {
  return relationships.some(({ from, to, isActive }) => isActive && from.table === table && to.table === dateTableName)
}

const margin = 24
const width = 1280 - 2 * margin

function overviewPage(model: SemanticModel, organisation: string, tables: readonly ModelTable[]): ReportPage {
  const measures = tables.flatMap((table) =>
    baseMeasures(table)
      .slice(0, 1)
      .map((measure) => ({ table, measure })),
  )
  const cards = measures.slice(0, cardsMax)
  const gap = 16
  const cardWidth = (width - gap * (cardsMax - 1)) / cardsMax
  const dated = measures.find(({ table }) => hasDate(model, table.name))
  return {
    id: 'overview',
    title: 'Overview',
    visuals: [
      heading(organisation, 'Data from Tributary. Refresh to read it again.'),
      ...(dated === undefined ? [] : [yearSlicer()]),
      ...cards.map(({ table, measure }, at): Visual => ({
        type: 'card',
        title: measure.name,
        position: { x: margin + at * (cardWidth + gap), y: 112, width: cardWidth, height: 128 },
        roles: { Values: [measureField(table, measure)] },
      })),
      ...(dated === undefined ? [] : [byMonth(dated.table, dated.measure, { x: margin, y: 264, width, height: 432 })]),
    ],
  }
}

function questionPage(model: SemanticModel, table: ModelTable, id: string): ReportPage {
  const measures = baseMeasures(table)
  const withDate = hasDate(model, table.name)
  const groups = table.columns.filter(
    ({ source }) => source.kind === 'text' && !source.name.endsWith('_id') && !table.source.key.includes(source.name),
  )
  const rows = groups.slice(0, 2).map(({ name }) => columnField(table.name, name))
  const first = measures[0]
  const chart =
    withDate && first !== undefined ? [byMonth(table, first, { x: margin, y: 112, width, height: 256 })] : []
  const top = chart.length === 0 ? 112 : 392
  const title = table.source.description?.split('\n')[0] ?? humanised(table.name)
  return {
    id,
    title: humanised(table.name),
    visuals: [
      heading(humanised(table.name), title),
      ...(withDate ? [yearSlicer()] : []),
      ...chart,
      {
        type: 'pivotTable',
        title: `${humanised(table.name)} in detail`,
        position: { x: margin, y: top, width, height: 696 - top },
        roles: { Rows: rows, Values: measures.map((measure) => measureField(table, measure)) },
      },
    ],
  }
}

function tablePage(table: ModelTable, id: string): ReportPage {
  const count = table.measures[0]
  const columns = table.columns.slice(0, tableColumnsMax).map(({ name }) => columnField(table.name, name))
  return {
    id,
    title: humanised(table.name),
    visuals: [
      heading(humanised(table.name), table.source.description?.split('\n')[0] ?? ''),
      yearSlicer(),
      ...(count === undefined ? [] : [byMonth(table, count, { x: margin, y: 112, width, height: 216 })]),
      {
        type: 'tableEx',
        title: `Rows of ${table.name}`,
        position: { x: margin, y: 352, width, height: 344 },
        roles: { Values: columns },
      },
    ],
  }
}

function baseMeasures({ measures }: ModelTable): readonly ModelMeasure[] {
  const amounts = measures.filter(({ amount, isBase }) => isBase && amount !== undefined)
  return amounts.length > 0 ? amounts : measures.slice(0, 1)
}

function heading(title: string, subtitle: string): Visual {
  return {
    type: 'textbox',
    title,
    position: { x: margin, y: 16, width: width - 280, height: 80 },
    paragraphs: [
      { text: title, size: 20, isBold: true },
      ...(subtitle === '' || subtitle === title ? [] : [{ text: subtitle, size: 11 }]),
    ],
  }
}

function yearSlicer(): Visual {
  return {
    type: 'slicer',
    title: 'Year',
    position: { x: margin + width - 256, y: 16, width: 256, height: 80 },
    roles: { Values: [columnField(dateTableName, 'Year')] },
  }
}

function byMonth(table: ModelTable, measure: ModelMeasure, position: Position): Visual {
  return {
    type: measure.amount?.kind === 'balance' ? 'lineChart' : 'columnChart',
    title: `${measure.name} by month`,
    position,
    roles: { Category: [columnField(dateTableName, 'Year and month')], Y: [measureField(table, measure)] },
  }
}

function columnField(table: string, name: string): Field {
  return { table, name, kind: 'column' }
}

function measureField({ name: table }: ModelTable, { name }: ModelMeasure): Field {
  return { table, name, kind: 'measure' }
}

/** Recognises the views of ready questions, and which of their figures a report adds up. */
import { type ListedQuestion, readyQuestions } from '@tributary/engine/ready-questions'
import type { TableModel } from '../../access/query/table-model.ts'
import type { ReportAmount, ReportColumn } from './report-model.ts'

const questions: ReadonlyMap<string, ListedQuestion> = new Map(
  ['xero', 'cin7'].flatMap((source) => readyQuestions(source, new Set()).map((each) => [each.name, each] as const)),
)

/** Undefined unless the table is the view of a question: by its name, and because it has all columns of the question. */
export function findQuestion({ kind, name, columns }: TableModel): ListedQuestion | undefined {
  const question = kind === 'view' ? questions.get(name) : undefined
  const names = new Set(columns.map((column) => column.name))
  return question?.columns.every((column) => names.has(column.name)) === true ? question : undefined
}

/** Ratios do not add up, and the balance at the beginning of a period is the one before it at the end. */
const notAdded = /_per_|^opening_|rate$/u

/** Each tracking category has all amounts of the statement. */
export function repeatedBy(columns: readonly ReportColumn[]): string | null {
  return columns.find(({ name }) => name === 'tracking_category')?.name ?? null
}

/** Of a question with a day on which its figures stand, every figure is a balance. */
export function amountsOf(columns: readonly ReportColumn[]): readonly ReportAmount[] {
  const isSnapshot = columns.some(({ name }) => name === 'as_of')
  return columns
    .filter(({ name, kind }) => (kind === 'money' || kind === 'number') && !notAdded.test(name))
    .map(({ name }) => ({ column: name, kind: isSnapshot || name.endsWith('balance') ? 'balance' : 'flow' }))
}

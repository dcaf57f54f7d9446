import { type ListedQuestion, readyQuestions } from '@tributary/engine/ready-questions'
import type { TableModel } from '../query/table-model.ts'

const questions: ReadonlyMap<string, ListedQuestion> = new Map(
  ['xero', 'cin7'].flatMap((source) => readyQuestions(source, new Set()).map((each) => [each.name, each] as const)),
)

/** The ready question whose view the table is: by its name, and because it has all columns of the question. */
export function findQuestion({ kind, name, columns }: TableModel): ListedQuestion | undefined {
  const question = kind === 'view' ? questions.get(name) : undefined
  const names = new Set(columns.map((column) => column.name))
  return question?.columns.every((column) => names.has(column.name)) === true ? question : undefined
}

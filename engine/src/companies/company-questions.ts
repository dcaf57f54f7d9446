/** Ready questions over tables that several companies share: each company is asked by itself. */
import { type CompanyColumn, selectByCompany } from '../ports/company-names.ts'
import { type QuestionSet, type ReadyQuestion } from '../ports/questions.ts'

/** Without the question about plans, which belong to no company. */
export function questionsByCompany(set: QuestionSet, companies: () => CompanyColumn): QuestionSet {
  return {
    questions: set.questions.map((question): ReadyQuestion => ({
      ...question,
      columns: [{ name: companies().column, description: 'Company that the row belongs to.' }, ...question.columns],
      select: (names, context) => selectByCompany(names, companies(), (own) => question.select(own, context)),
    })),
    ledgerViews: (streams) =>
      set.ledgerViews(streams).map(({ name, select }) => ({
        name,
        select: (names) => selectByCompany(names, companies(), select),
      })),
  }
}

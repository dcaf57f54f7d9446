/** Ready questions: SQL views over a source's tables that answer what finance people ask, described for the dictionary. */
import type { StatementNames } from './view-names.ts'

export interface QuestionDescription {
  /** The name of the view. */
  readonly name: string
  /** The question that the view answers. */
  readonly title: string
  /** How the figures are defined: what counts, what does not, in which currency. */
  readonly description: string
  readonly columns: readonly QuestionColumn[]
}

export interface QuestionColumn {
  readonly name: string
  readonly description: string
}

/** @see questionTables for the tables that a view reads */
export interface ReadyQuestion extends QuestionDescription {
  /** Names of the streams that the view needs. A connector that does not move one of them does not get the view. */
  readonly requiredStreams: readonly string[]
  /**
   * @param names also of the views that come before this one
   * @param context what the SELECT depends on besides the tables
   */
  select(names: StatementNames, context: QuestionContext): string
}

export interface QuestionContext {
  /** Names of the moved streams. Some views read more if there is more. */
  readonly streams: ReadonlySet<string>
  /** Milliseconds since 1970: the offsets of time zones from UTC are those of this moment. */
  readonly now: number
}

/** The views of one kind of source. */
export interface QuestionSet {
  /** In the order of creation: a view may read those before it. */
  readonly questions: readonly ReadyQuestion[]
  /** The views of the ledger that questions read. The tie-out creates them. */
  ledgerViews(streams: ReadonlySet<string>): readonly LedgerViewSelect[]
  /** The question about loaded plans. Absent if the source has no figures to compare them with. @param tables at least one */
  budget?(tables: readonly BudgetTable[]): ReadyQuestion
}

/** The table of a loaded plan in the same database, with columns Entity, Area, Subarea and Milestone. */
export interface BudgetTable {
  /** The name of the version: `Budget 2026`. */
  readonly version: string
  /** The quoted name of the table, with its schema. */
  readonly table: string
  /** The name of the column with the planned amount. */
  readonly amount: string
  /** The name of the column with the month, of a type with a date. */
  readonly month: string
  /** The name of the column with the code of the account; null if the plan has none. */
  readonly account: string | null
  /** Null if none is kept, or not any more. */
  readonly history?: BudgetHistory | null
}

export interface BudgetHistory {
  /** Its beginning, such as `2026-11-28T06:00:00.123456Z`. */
  readonly since: string
  /** A SELECT of the rows as they were. @param moment an SQL expression for a point in time */
  select(moment: string): string
}

export interface LedgerViewSelect {
  readonly name: string
  select(names: StatementNames): string
}

/** The streams that a question needs and that are not moved; empty if the question can be answered. */
export function missingStreams({ requiredStreams }: ReadyQuestion, streams: ReadonlySet<string>): readonly string[] {
  return requiredStreams.filter((name) => !streams.has(name))
}

/** The source's names of the tables that a question's view reads, directly or through other views. */
export function questionTables(set: QuestionSet, question: ReadyQuestion, context: QuestionContext): readonly string[] {
  const tables = new Set<string>()
  const recording: StatementNames = { ...plainNames, table: (name) => (tables.add(name), name) }
  question.select(inlineQuestionViews(recording, set, context), context)
  return [...tables].toSorted()
}

/** The SELECT of a question without views: it reads tables only. */
export function inlinedQuestion(
  names: StatementNames,
  { set, question, context }: { set: QuestionSet; question: ReadyQuestion; context: QuestionContext },
): string {
  return question.select(inlineQuestionViews(names, set, context), context)
}

function inlineQuestionViews(names: StatementNames, set: QuestionSet, context: QuestionContext): StatementNames {
  const inlined: StatementNames = {
    ...names,
    view: (name) => {
      const question = set.questions.find((each) => each.name === name)
      if (question !== undefined) return `(${question.select(inlined, context)})`
      const view = set.ledgerViews(context.streams).find((each) => each.name === name)
      return view === undefined ? names.view(name) : `(${view.select(inlined)})`
    },
  }
  return inlined
}

/** Names without quotes, for statements that are read by people or only searched for names. */
export const plainNames: StatementNames = {
  table: (name) => name,
  view: (name) => name,
  quote: (name) => name,
  moment: (at) => `'${at}'`,
  month: (date) => `MONTH_START(${date})`,
  monthEnd: (date) => `MONTH_END(${date})`,
  year: (date) => `YEAR(${date})`,
  monthOfYear: (date) => `MONTH(${date})`,
  daysBetween: (from, to) => `DAYS(${from}, ${to})`,
  addDays: (date, days) => `ADD_DAYS(${date}, ${days})`,
  today: (minutes) => `TODAY(${minutes})`,
  asOf: () => plainNames,
}

/** The ready questions of every source, for those who list them: the dictionary, the explorer, feeds and reports. */
import { cin7Questions } from './apis/cin7/questions/stock.ts'
import { xeroQuestions } from './apis/xero/questions/questions.ts'
import {
  missingStreams,
  type QuestionContext,
  type QuestionDescription,
  type QuestionSet,
  questionTables,
} from './ports/questions.ts'

const sets: Readonly<Record<string, QuestionSet>> = { cin7: cin7Questions, xero: xeroQuestions }

export interface ListedQuestion extends QuestionDescription {
  /** The type of the source: `xero`. */
  readonly sourceType: string
  /**
   * The tables that the view reads, by their names in the source, also through other views. Exactly those who may read
   * all of them may read the view.
   */
  readonly tables: readonly string[]
  /** Why a connector does not have the view: the streams that it would need; empty if it has it. */
  readonly missingStreams: readonly string[]
}

/** The questions of a source's type; none if it has none. @param streams names of the streams that a connector moves */
export function readyQuestions(sourceType: string, streams: ReadonlySet<string>): readonly ListedQuestion[] {
  const set = sets[sourceType]
  if (set === undefined) return []
  const context: QuestionContext = { streams, now: 0 }
  return set.questions.map((question) => {
    const { name, title, description, columns } = question
    return {
      sourceType,
      name,
      title,
      description,
      columns,
      tables: questionTables(set, question, context),
      missingStreams: missingStreams(question, streams),
    }
  })
}

/** Whether a connector of this type has views of its ledger. @param streams names of the streams that it moves */
export function hasLedgerViews(sourceType: string, streams: ReadonlySet<string>): boolean {
  return (sets[sourceType]?.ledgerViews(streams).length ?? 0) > 0
}

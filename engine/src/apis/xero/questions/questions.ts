/** The ready questions about a company in Xero. */
import type { QuestionSet } from '../../../ports/questions.ts'
import { xeroTieOut } from '../ledger/tie-out.ts'
import { agedQuestions } from './aged-items.ts'
import { balanceSheet, cashByMonth } from './balance-sheet.ts'
import { profitAndLoss, profitAndLossByTracking } from './profit-and-loss.ts'
import { trackedLedger } from './tracked-ledger.ts'

export const xeroQuestions: QuestionSet = {
  questions: [trackedLedger, profitAndLoss, profitAndLossByTracking, balanceSheet, cashByMonth, ...agedQuestions],
  ledgerViews: (streams) => xeroTieOut.ledger(streams).views,
}

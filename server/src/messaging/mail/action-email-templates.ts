/** Messages about actions after publications, by mail and by chat services. */
import type { EmailContent } from '../../kernel/mail/email-content.ts'

interface ActionEmailData {
  readonly actionName: string
  readonly companyName: string
  /** What is wrong and what to do, in words. */
  readonly notice: string
  readonly url: string
}

/** Sent once when a run of an action fails for good. */
export function actionFails({ actionName, companyName, notice, url }: ActionEmailData): EmailContent {
  return {
    template: 'publication-action-fails',
    subject: `${actionName} did not follow the publication`,
    paragraphs: [
      `${actionName} of ${companyName} runs after each publication. Its last run failed:`,
      notice,
      'The published views are not affected. Each new publication tries it again, and the next message comes when it works.',
    ],
    action: { label: 'Open the log', url },
  }
}

export function actionWorks({ actionName, companyName, notice, url }: ActionEmailData): EmailContent {
  return {
    template: 'publication-action-works',
    subject: `${actionName} works again`,
    paragraphs: [`${actionName} of ${companyName} has completed a run.`, `The problem was: ${notice}`],
    action: { label: 'Open the log', url },
  }
}

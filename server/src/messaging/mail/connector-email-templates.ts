/** Emails about incidents of connectors and about differences from the source. */
import type { EmailContent } from '../../kernel/mail/email-content.ts'

interface IncidentEmailData {
  readonly connectorName: string
  readonly companyName: string
  /** What is wrong and what to do, in words. */
  readonly notice: string
  readonly url: string
}

const footnote = 'An administrator chooses the recipients in the settings of the connector.'

/** Sent once per incident of a connector, when it opens. */
export function incidentOpened({ connectorName, companyName, notice, url }: IncidentEmailData): EmailContent {
  return {
    template: 'incident-opened',
    subject: `${connectorName} needs attention`,
    paragraphs: [
      `The connector ${connectorName} of ${companyName} has a problem:`,
      notice,
      'The rows that are already loaded stay unchanged. You get the next email when the connector works again.',
    ],
    action: { label: 'Open the connector', url },
    footnote,
  }
}

export function incidentClosed({ connectorName, companyName, notice, url }: IncidentEmailData): EmailContent {
  return {
    template: 'incident-closed',
    subject: `${connectorName} works again`,
    paragraphs: [`The connector ${connectorName} of ${companyName} has completed a run.`, `The problem was: ${notice}`],
    action: { label: 'Open the connector', url },
    footnote,
  }
}

/** Sent once when the loaded rows begin to differ from the source's own report. */
export function tieOutDiffers({ connectorName, companyName, notice, url }: IncidentEmailData): EmailContent {
  return {
    template: 'tie-out-differs',
    subject: `${connectorName} does not add up`,
    paragraphs: [
      `The rows that ${connectorName} of ${companyName} has loaded differ from the source’s own report:`,
      notice,
      'You get the next email when they agree again.',
    ],
    action: { label: 'See the differences', url },
    footnote,
  }
}

export function tieOutAgrees({ connectorName, companyName, notice, url }: IncidentEmailData): EmailContent {
  return {
    template: 'tie-out-agrees',
    subject: `${connectorName} adds up again`,
    paragraphs: [
      `The rows that ${connectorName} of ${companyName} has loaded agree with the source’s own report.`,
      `The problem was: ${notice}`,
    ],
    action: { label: 'Open the connector', url },
    footnote,
  }
}

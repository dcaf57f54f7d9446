/** Messages about incidents of connectors and about differences from the source, by mail and by chat services. */
import type { EmailContent } from '../../kernel/mail/email-content.ts'

interface IncidentEmailData {
  readonly connectorName: string
  readonly companyName: string
  /** What is wrong and what to do, in words. */
  readonly notice: string
  readonly url: string
}

export const namedFootnote =
  'An administrator chooses the recipients in the settings of the connector. In your profile you choose which mails you get.'
export const chosenFootnote = 'You chose in your profile which of these mails you get.'

/** Sent once per incident of a connector, when it opens. */
export function incidentOpened({ connectorName, companyName, notice, url }: IncidentEmailData): EmailContent {
  return {
    template: 'incident-opened',
    subject: `${connectorName} needs attention`,
    paragraphs: [
      `The connector ${connectorName} of ${companyName} has a problem:`,
      notice,
      'No row that is already loaded is lost. The next message comes when the connector works again.',
    ],
    action: { label: 'Open the connector', url },
  }
}

interface ChannelEmailData {
  readonly channelName: string
  readonly serviceTitle: string
  readonly companyName: string
  /** What the service answered, in words. */
  readonly notice: string
  readonly url: string
}

/** Sent once when a message to an alert channel is given up. */
export function channelFailing({
  channelName,
  serviceTitle,
  companyName,
  notice,
  url,
}: ChannelEmailData): EmailContent {
  return {
    template: 'alert-channel-failing',
    subject: `Alerts no longer reach ${channelName}`,
    paragraphs: [
      `An alert of ${companyName} could not be delivered to ${channelName} (${serviceTitle}):`,
      notice,
      'This alert is not sent again. Tributary tries each new alert, and shows all incidents with their connectors.',
    ],
    action: { label: 'Check the channel', url },
  }
}

export function incidentClosed({ connectorName, companyName, notice, url }: IncidentEmailData): EmailContent {
  return {
    template: 'incident-closed',
    subject: `${connectorName} works again`,
    paragraphs: [`The connector ${connectorName} of ${companyName} has completed a run.`, `The problem was: ${notice}`],
    action: { label: 'Open the connector', url },
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
      'The next message comes when they agree again.',
    ],
    action: { label: 'See the differences', url },
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
  }
}

/** Sent once when a connector holds a publication back for longer than its set allows. */
export function publicationStays({ connectorName, companyName, notice, url }: IncidentEmailData): EmailContent {
  return {
    template: 'publication-stays',
    subject: `${connectorName} holds a publication back`,
    paragraphs: [
      `Published views of ${companyName} still show earlier figures, because ${connectorName} does not satisfy the rule of its publication:`,
      notice,
      'The next message comes when it satisfies the rule again.',
    ],
    action: { label: 'Open the connector', url },
  }
}

export function publicationMoves({ connectorName, companyName, notice, url }: IncidentEmailData): EmailContent {
  return {
    template: 'publication-moves',
    subject: `${connectorName} can be published again`,
    paragraphs: [
      `${connectorName} of ${companyName} satisfies the rule of its publication again.`,
      `The problem was: ${notice}`,
    ],
    action: { label: 'Open the connector', url },
  }
}

/** Sent once when rows will not be ready at a promised time, or were not. */
export function readyByMissed({ connectorName, companyName, notice, url }: IncidentEmailData): EmailContent {
  return {
    template: 'ready-by-missed',
    subject: `${connectorName} is not ready in time`,
    paragraphs: [
      `${connectorName} of ${companyName} has a time by which its rows must be ready:`,
      notice,
      'Reports show earlier rows until then. The next message comes when the rows are ready and the next time can be kept.',
    ],
    action: { label: 'Open the connector', url },
  }
}

export function readyByKept({ connectorName, companyName, notice, url }: IncidentEmailData): EmailContent {
  return {
    template: 'ready-by-kept',
    subject: `${connectorName} is ready again`,
    paragraphs: [
      `The rows of ${connectorName} of ${companyName} are ready, and the next time can be kept.`,
      `The problem was: ${notice}`,
    ],
    action: { label: 'Open the connector', url },
  }
}

/** Sent once when verification finds rows that differ from the source. */
export function verificationDiffers({ connectorName, companyName, notice, url }: IncidentEmailData): EmailContent {
  return {
    template: 'verification-differs',
    subject: `${connectorName} differs from its source`,
    paragraphs: [
      `Verification compared the rows that ${connectorName} of ${companyName} has loaded with the source:`,
      notice,
      'Reports on these tables may show wrong numbers. You can see both values of each row, and repair them. The next message comes when the rows are identical again.',
    ],
    action: { label: 'See the differences', url },
  }
}

export function verificationAgrees({ connectorName, companyName, notice, url }: IncidentEmailData): EmailContent {
  return {
    template: 'verification-agrees',
    subject: `${connectorName} is identical with its source again`,
    paragraphs: [
      `The rows that ${connectorName} of ${companyName} has loaded are identical with the source again.`,
      `The problem was: ${notice}`,
    ],
    action: { label: 'Open the connector', url },
  }
}

/** Sent once for each run that found changes in closed periods. The notice has a line for each document. */
export function closedPeriodChanged({ connectorName, companyName, notice, url }: IncidentEmailData): EmailContent {
  return {
    template: 'closed-period-changed',
    subject: `A closed period of ${connectorName} has changed`,
    paragraphs: [
      `Figures of ${companyName} that were closed are not what they were (${connectorName}):`,
      ...notice.split('\n'),
      'Look at each document, then acknowledge the changes with a reason.',
    ],
    action: { label: 'See the changes', url },
  }
}

export function closedPeriodAcknowledged({ connectorName, companyName, notice, url }: IncidentEmailData): EmailContent {
  return {
    template: 'closed-period-acknowledged',
    subject: `Changes in a closed period of ${connectorName} are acknowledged`,
    paragraphs: [
      `All changes that a run of ${connectorName} of ${companyName} found in closed periods are acknowledged.`,
      ...notice.split('\n'),
    ],
    action: { label: 'See the changes', url },
  }
}

/** The daily digest of incidents, by mail and by chat services. */
import { formatTimeZone } from '@tributary/contract/time-zone-name'
import type { EmailContent } from '../../kernel/mail/email-content.ts'
import { truncateText } from '../chat/fit-message.ts'

/** What happened to one incident since the last digest. */
export interface DigestEntry {
  /** Of the connector, or of the action after publications. */
  readonly name: string
  readonly notice: string
  /** ISO 8601. */
  readonly openedAt: string
  readonly closedAt: string | null
  /** An earlier message reported the opening. */
  readonly isKnown: boolean
  /** False while it is open, and if it ended because the connector was disconnected. */
  readonly hasRecovered: boolean
}

interface DigestData {
  readonly companyName: string
  readonly entries: readonly DigestEntry[]
  readonly timeZone: string
  readonly url: string
}

const noticeMax = 400
const entriesMax = 30

export function alertDigest({ companyName, entries, timeZone, url }: DigestData): EmailContent {
  const opened = entries.filter(({ isKnown }) => !isKnown).length
  const recovered = entries.filter(({ hasRecovered }) => hasRecovered).length
  const parts = [
    ...(opened === 0 ? [] : [opened === 1 ? '1 new problem' : `${opened} new problems`]),
    ...(recovered === 0 ? [] : [`${recovered} solved`]),
  ]
  const left = entries.length - entriesMax
  return {
    template: 'alert-digest',
    subject: `${companyName}: ${parts.join(', ')}`,
    paragraphs: [
      `What changed since the last digest. Times are in ${formatTimeZone(timeZone)}.`,
      ...entries.slice(0, entriesMax).map((entry) => describeEntry(entry, timeZone)),
      ...(left > 0 ? [`${left} more, which Tributary shows.`] : []),
    ],
    action: { label: 'Open Tributary', url },
  }
}

function describeEntry(entry: DigestEntry, timeZone: string): string {
  const { name, openedAt, closedAt, isKnown, hasRecovered } = entry
  const notice = truncateText(entry.notice, noticeMax)
  const at = (time: string) => formatTime(time, timeZone)
  if (closedAt === null) return `${name} needs attention since ${at(openedAt)}: ${notice}`
  if (isKnown) return `${name} works again since ${at(closedAt)}. The problem was: ${notice}`
  const ending = hasRecovered ? ' It works again.' : ' It was disconnected then.'
  return `${name} had a problem from ${at(openedAt)} to ${at(closedAt)}: ${notice}${ending}`
}

function formatTime(time: string, timeZone: string): string {
  const parts = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const
  return new Intl.DateTimeFormat('en-GB', { timeZone, ...parts }).format(Date.parse(time))
}

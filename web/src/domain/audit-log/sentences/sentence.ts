/**
 * The words of an event of the audit log. A sentence has placeholders for the person and the thing, because the page renders both as
 * more than text.
 */
import type { AuditLogEvent } from '@tributary/contract/audit-log'

export interface ActionWording {
  /** The action in the filter: 'Schedule changed'. */
  readonly label: string
  /** @param timeZone of the organisation's schedules */
  readonly sentence: (event: AuditLogEvent, timeZone: string) => string
}

/** Characters for private use, which no text contains. */
export const who = '\u{E000}'
export const thing = '\u{E001}'

/** A detail as text; undefined if the event does not have it. */
export function detailText({ Detail }: AuditLogEvent, name: string): string | undefined {
  const value = Detail[name]
  return value === undefined || value === null ? undefined : String(value)
}

/** A value of the state before or after a change. */
export function stateText({ Detail }: AuditLogEvent, state: 'before' | 'after', name: string): string | undefined {
  const whole = Detail[state]
  const value: unknown = typeof whole === 'object' && whole !== null ? Reflect.get(whole, name) : undefined
  return value === undefined || value === null ? undefined : String(value)
}

export function detailList({ Detail }: AuditLogEvent, name: string): readonly string[] {
  const value = Detail[name]
  return Array.isArray(value) ? value.map(String) : []
}

/** True if the person did it to themselves. */
export function isSelf({ ActorId, ObjectType, ObjectId }: AuditLogEvent): boolean {
  return ObjectId === null || (ObjectType === 'user' && ActorId === ObjectId)
}

/** 'their password', or 'the password of Ulla Berg'. */
export function possession(event: AuditLogEvent, what: string): string {
  return isSelf(event) ? `their ${what}` : `the ${what} of ${thing}`
}

const spokenNames = 5

/** 'Kitchen, Bar and 3 more'. `total`: the number of names, of which the event may hold fewer. */
export function listNames(names: readonly string[], total = names.length): string {
  const spoken = names.slice(0, total > spokenNames ? spokenNames - 1 : spokenNames)
  const rest = total - spoken.length
  if (rest > 0) return spoken.length === 0 ? countOf(total, 'one', 'of them') : `${spoken.join(', ')} and ${rest} more`
  return spoken.length < 2 ? spoken.join('') : `${spoken.slice(0, -1).join(', ')} and ${spoken.at(-1)}`
}

/** ': added Kitchen and Bar; removed Attic', or '' if nothing was added or removed. */
export function describeAddedAndRemoved(event: AuditLogEvent): string {
  const parts = (['added', 'removed'] as const).flatMap((verb) => {
    const names = detailList(event, verb)
    const total = Number(event.Detail[`${verb}Count`] ?? names.length)
    return total === 0 ? [] : [`${verb} ${listNames(names, total)}`]
  })
  return parts.length === 0 ? '' : `: ${parts.join('; ')}`
}

export function countOf(count: number, one: string, many: string): string {
  return count === 1 ? `1 ${one}` : `${count} ${many}`
}

/** 'renamed the area Kitchen to Bar', or 'locked the version Budget', or what else a change of name and status is called. */
export function describeRecordChange(event: AuditLogEvent, noun: string): string {
  const [former, name] = [stateText(event, 'before', 'name'), stateText(event, 'after', 'name')]
  const [formerStatus, status] = [stateText(event, 'before', 'status'), stateText(event, 'after', 'status')]
  const statusVerb = status === undefined || status === formerStatus ? undefined : statusVerbs[status]
  if (former !== undefined && name !== undefined && former !== name)
    return `renamed the ${noun} ${former} to ${name}${statusVerb === undefined ? '' : ` and ${statusVerb} it`}`
  return `${statusVerb ?? 'changed'} ${thing}`
}

const statusVerbs: Readonly<Record<string, string>> = { active: 'activated', locked: 'locked', archived: 'archived' }

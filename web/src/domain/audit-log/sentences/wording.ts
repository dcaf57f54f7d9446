/** The words of every action of the audit log. */
import type { AuditAction } from '@tributary/contract/audit-actions'
import type { AuditLogEvent } from '@tributary/contract/audit-log'
import { connectorWording } from './connectors.ts'
import { dataServerWording } from './data-servers.ts'
import { operationsWording } from './operations.ts'
import { peopleWording } from './people.ts'
import { planningWording } from './planning.ts'
import { type ActionWording, thing, who } from './sentence.ts'
import { signInWording } from './sign-in.ts'
import { thingNoun } from './things.ts'
import { tokenWording } from './tokens.ts'
import { trustWording } from './trust.ts'
import { workbenchWording } from './workbench.ts'

/** Complete, because the type has every action. */
const actionWording: Readonly<Record<AuditAction, ActionWording>> = {
  ...signInWording,
  ...tokenWording,
  ...peopleWording,
  ...connectorWording,
  ...planningWording,
  ...dataServerWording,
  ...operationsWording,
  ...trustWording,
  ...workbenchWording,
}

/** A part of a sentence: plain text, the person who acted, or the thing that it is about. */
export interface SentencePart {
  readonly kind: 'text' | 'who' | 'thing'
  readonly text: string
}

/** @param timeZone of the organisation's schedules */
export function describeEvent(event: AuditLogEvent, timeZone: string): readonly SentencePart[] {
  return sentenceOf(event, timeZone)
    .split(/([\u{E000}\u{E001}])/u)
    .filter((text) => text !== '')
    .flatMap((text) => {
      if (text === who) return [{ kind: 'who', text: actorName(event) }]
      return text === thing ? thingParts(event) : [{ kind: 'text', text }]
    })
}

/** An action of an earlier version that is no longer recorded is shown by its code. */
function sentenceOf(event: AuditLogEvent, timeZone: string): string {
  if (isKnown(event.Action)) return actionWording[event.Action].sentence(event, timeZone)
  return `${who}: ${event.Action.replace('.', ' ').replaceAll('_', ' ')}${event.ObjectId === null ? '' : `, ${thing}`}`
}

function isKnown(action: string): action is AuditAction {
  return Object.hasOwn(actionWording, action)
}

function thingParts({ ObjectType, ObjectName }: AuditLogEvent): readonly SentencePart[] {
  const { article, unnamed } = thingNoun(ObjectType)
  if (ObjectName === null) return [{ kind: 'text', text: unnamed }]
  return [
    { kind: 'text', text: article },
    { kind: 'thing', text: ObjectName },
  ]
}

/** The operator works at the console and has no account. Without an actor, a failed sign-in is a stranger's. */
export function actorName({ Actor, ActorRole, Action }: AuditLogEvent): string {
  if (Actor !== null) return Actor
  if (ActorRole === 'operator') return 'The operator'
  return Action.startsWith('authn.') || Action.startsWith('authz.') ? 'Someone' : 'Tributary'
}

/** For tests and for screen readers. */
export function sentenceText(event: AuditLogEvent, timeZone: string): string {
  return describeEvent(event, timeZone)
    .map(({ text }) => text)
    .join('')
}

const groupTitles: Readonly<Record<string, Readonly<Partial<Record<AuditAction, ActionWording>>>>> = {
  'Connectors and runs': connectorWording,
  'People and rights': peopleWording,
  'Sign-in': signInWording,
  'Excel structure and loads': planningWording,
  Trust: trustWording,
  Operations: { ...dataServerWording, ...operationsWording, ...workbenchWording },
}

/** The actions for the filter, by subject and label. */
export const actionGroups = Object.entries(groupTitles).map(([group, wording]) => ({
  group,
  items: Object.entries(wording)
    .map(([value, { label }]) => ({ value, label }))
    .toSorted((a, b) => (a.label < b.label ? -1 : 1)),
}))

/** What somebody is making of a group: kept while the wizard goes back and forth, and in the tab over a reload. */
import type { PermissionGroup } from '@tributary/contract/groups'
import { rebaseIds } from '../../domain/link-editor/links.ts'
import { areaKeys, type GrantKeys, versionKeys } from './grant-keys.ts'

export interface GroupDraft {
  readonly name: string
  readonly pairs: GrantKeys
  readonly milestones: GrantKeys
}

/** A draft and what it started from. */
export interface Started {
  readonly draft: GroupDraft
  readonly base: GroupDraft
  /** Of the group that is edited; null for a new one. */
  readonly revision: number | null
}

const nothing: GroupDraft = { name: '', pairs: new Set(), milestones: new Set() }

export function startNew(): Started {
  return { draft: nothing, base: nothing, revision: null }
}

/** A new group that grants what another does. */
export function startCopy(group: PermissionGroup): Started {
  return { draft: { ...draftOf(group), name: `${group.Name} copy` }, base: nothing, revision: null }
}

export function startEdit(group: PermissionGroup): Started {
  const draft = draftOf(group)
  return { draft, base: draft, revision: group.Revision }
}

/** Somebody else has saved the group since: theirs, with what was changed here done to it. */
export function rebaseDraft({ draft, base }: Started, fresh: Started): Started {
  return {
    ...fresh,
    draft: {
      name: draft.name === base.name ? fresh.base.name : draft.name,
      pairs: rebaseIds(draft.pairs, base.pairs, fresh.base.pairs),
      milestones: rebaseIds(draft.milestones, base.milestones, fresh.base.milestones),
    },
  }
}

export function isChanged({ draft, base }: Started): boolean {
  return draft.name !== base.name || !same(draft.pairs, base.pairs) || !same(draft.milestones, base.milestones)
}

function same(one: GrantKeys, other: GrantKeys): boolean {
  return one.size === other.size && one.isSubsetOf(other)
}

function draftOf(group: PermissionGroup): GroupDraft {
  return { name: group.Name, pairs: areaKeys(group), milestones: versionKeys(group) }
}

/** Whose drafts: what one person has begun is not shown to the next, nor in another organisation. */
export interface DraftOwner {
  readonly email: string
  readonly orgId: string
}

const prefixOf = ({ email, orgId }: DraftOwner) => `group-draft ${email} ${orgId} `

/** `of` names what is edited: 'new', a group's id, or 'copy-' and an id. */
export function storeDraft(owner: DraftOwner, of: string, started: Started): void {
  try {
    sessionStorage.setItem(
      prefixOf(owner) + of,
      JSON.stringify(started, (_, value: unknown) => (value instanceof Set ? [...(value as Set<unknown>)] : value)),
    )
  } catch {
    // It does not fit into the tab's storage; then it lives in memory only.
    sessionStorage.removeItem(prefixOf(owner) + of)
  }
}

export function readDraft(owner: DraftOwner, of: string): Started | null {
  const text = sessionStorage.getItem(prefixOf(owner) + of)
  if (text === null) return null
  const { draft, base, revision } = JSON.parse(text) as Stored
  return { draft: revived(draft), base: revived(base), revision }
}

export function forgetDraft(owner: DraftOwner, of: string): void {
  sessionStorage.removeItem(prefixOf(owner) + of)
}

/** What was begun and not saved, by what it edits. */
export function listDrafts(owner: DraftOwner): readonly { readonly of: string; readonly name: string }[] {
  const prefix = prefixOf(owner)
  return Object.keys(sessionStorage)
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
    .map((of) => ({ of, name: readDraft(owner, of)?.draft.name ?? '' }))
}

interface StoredDraft {
  readonly name: string
  readonly pairs: readonly string[]
  readonly milestones: readonly string[]
}
interface Stored {
  readonly draft: StoredDraft
  readonly base: StoredDraft
  readonly revision: number | null
}

function revived({ name, pairs, milestones }: StoredDraft): GroupDraft {
  return { name, pairs: new Set(pairs), milestones: new Set(milestones) }
}

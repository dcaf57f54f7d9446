/** Draft of a group, kept across the wizard's steps and in the tab's session storage across reloads. */
import type { PermissionGroup } from '@tributary/contract/groups'
import { rebaseIds } from '../../domain/link-editor/links.ts'
import { areaKeys, type GrantKeys, versionKeys } from './grant-keys.ts'

export interface GroupDraft {
  readonly name: string
  readonly pairs: GrantKeys
  readonly milestones: GrantKeys
}

/** A draft with the version of the group that it is based on. */
export interface StartedDraft {
  readonly draft: GroupDraft
  readonly base: GroupDraft
  /** Revision of the edited group; null for a new one. */
  readonly revision: number | null
}

const emptyDraft: GroupDraft = { name: '', pairs: new Set(), milestones: new Set() }

export function startNew(): StartedDraft {
  return { draft: emptyDraft, base: emptyDraft, revision: null }
}

/** Starts a new group with the grants of an existing one. */
export function startCopy(group: PermissionGroup): StartedDraft {
  return { draft: { ...toDraft(group), name: `${group.Name} copy` }, base: emptyDraft, revision: null }
}

export function startEdit(group: PermissionGroup): StartedDraft {
  const draft = toDraft(group)
  return { draft, base: draft, revision: group.Revision }
}

/** Rebases a draft onto the group that another user has saved in the meantime. */
export function rebaseDraft({ draft, base }: StartedDraft, fresh: StartedDraft): StartedDraft {
  return {
    ...fresh,
    draft: {
      name: draft.name === base.name ? fresh.base.name : draft.name,
      pairs: rebaseIds(draft.pairs, base.pairs, fresh.base.pairs),
      milestones: rebaseIds(draft.milestones, base.milestones, fresh.base.milestones),
    },
  }
}

export function isChanged({ draft, base }: StartedDraft): boolean {
  return draft.name !== base.name || !sameKeys(draft.pairs, base.pairs) || !sameKeys(draft.milestones, base.milestones)
}

function sameKeys(one: GrantKeys, other: GrantKeys): boolean {
  return one.size === other.size && one.isSubsetOf(other)
}

function toDraft(group: PermissionGroup): GroupDraft {
  return { name: group.Name, pairs: areaKeys(group), milestones: versionKeys(group) }
}

/** Owner of a draft: a draft is visible only to the same user in the same organisation. */
export interface DraftOwner {
  readonly email: string
  readonly orgId: string
}

const storagePrefix = ({ email, orgId }: DraftOwner) => `group-draft ${email} ${orgId} `

/** `of` says what is edited: 'new', a group's id, or 'copy-' and an id. */
export function storeDraft(owner: DraftOwner, of: string, started: StartedDraft): void {
  try {
    sessionStorage.setItem(
      storagePrefix(owner) + of,
      JSON.stringify(started, (_, value: unknown) => (value instanceof Set ? [...(value as Set<unknown>)] : value)),
    )
  } catch {
    // Quota exceeded: the draft is kept in memory only.
    sessionStorage.removeItem(storagePrefix(owner) + of)
  }
}

export function readDraft(owner: DraftOwner, of: string): StartedDraft | null {
  const text = sessionStorage.getItem(storagePrefix(owner) + of)
  if (text === null) return null
  return JSON.parse(text, (_, value: unknown) =>
    Array.isArray(value) ? new Set<unknown>(value) : value,
  ) as StartedDraft
}

export function discardDraft(owner: DraftOwner, of: string): void {
  sessionStorage.removeItem(storagePrefix(owner) + of)
}

/** Unsaved drafts in this tab. */
export function listDrafts(owner: DraftOwner) {
  const prefix = storagePrefix(owner)
  return Object.keys(sessionStorage)
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
    .map((of) => ({ of, name: readDraft(owner, of)?.draft.name ?? '' }))
}

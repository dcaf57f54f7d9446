import { afterEach, expect, test } from 'vitest'
import { grantKey } from './grant-keys.ts'
import {
  discardDraft,
  isChanged,
  listDrafts,
  readDraft,
  rebaseDraft,
  type StartedDraft,
  startNew,
  storeDraft,
} from './group-draft.ts'

afterEach(() => sessionStorage.clear())

const owner = { email: 'admin@demo.example', orgId: 'one' }
const draft = (name: string, ...pairs: string[]) => ({ name, pairs: new Set(pairs), milestones: new Set<string>() })

test('[GRP-7] a draft is restored unchanged, also after a reload', () => {
  const started: StartedDraft = {
    draft: { ...draft('Quays', grantKey('a', null)), milestones: new Set([grantKey('v', 'm')]) },
    base: draft(''),
    revision: null,
  }
  storeDraft(owner, 'new', started)
  expect(readDraft(owner, 'new')).toEqual(started)
  expect(listDrafts(owner)).toEqual([{ of: 'new', name: 'Quays' }])
  discardDraft(owner, 'new')
  expect(readDraft(owner, 'new')).toBeNull()
})

test('a draft is not shown to another user, nor in another organisation', () => {
  storeDraft(owner, 'new', startNew())
  expect(readDraft({ ...owner, email: 'user@demo.example' }, 'new')).toBeNull()
  expect(listDrafts({ ...owner, orgId: 'two' })).toEqual([])
})

test('changes that another user saved in the meantime are merged, and those of the draft are kept', () => {
  const mine: StartedDraft = {
    draft: draft('Mine', 'kept', 'added'),
    base: draft('Old', 'kept', 'dropped'),
    revision: 3,
  }
  const theirs: StartedDraft = {
    draft: draft('Theirs', 'kept', 'dropped', 'new'),
    base: draft('Theirs', 'kept', 'dropped', 'new'),
    revision: 4,
  }
  const rebased = rebaseDraft(mine, theirs)
  expect([rebased.revision, rebased.draft.name, [...rebased.draft.pairs].toSorted()]).toEqual([
    4,
    'Mine',
    ['added', 'kept', 'new'],
  ])
  expect(rebaseDraft({ ...mine, draft: mine.base }, theirs).draft).toEqual(theirs.draft)
})

test('a draft counts as changed only if it differs from its base', () => {
  expect(isChanged(startNew())).toBe(false)
  expect(isChanged({ draft: draft('a', 'x'), base: draft('a', 'x'), revision: 1 })).toBe(false)
  expect(isChanged({ draft: draft('a', 'y'), base: draft('a', 'x'), revision: 1 })).toBe(true)
})

import { afterEach, expect, test } from 'vitest'
import { keyOf } from './grant-keys.ts'
import {
  forgetDraft,
  isChanged,
  listDrafts,
  readDraft,
  rebaseDraft,
  type Started,
  startNew,
  storeDraft,
} from './group-draft.ts'

afterEach(() => sessionStorage.clear())

const owner = { email: 'admin@demo.example', orgId: 'one' }
const draft = (name: string, ...pairs: string[]) => ({ name, pairs: new Set(pairs), milestones: new Set<string>() })

test('[GRP-7] a draft is read back as it was, after a reload as well', () => {
  const started: Started = {
    draft: { ...draft('Quays', keyOf('a', null)), milestones: new Set([keyOf('v', 'm')]) },
    base: draft(''),
    revision: null,
  }
  storeDraft(owner, 'new', started)
  expect(readDraft(owner, 'new')).toEqual(started)
  expect(listDrafts(owner)).toEqual([{ of: 'new', name: 'Quays' }])
  forgetDraft(owner, 'new')
  expect(readDraft(owner, 'new')).toBeNull()
})

test('a draft is shown neither to the next person nor in another organisation', () => {
  storeDraft(owner, 'new', startNew())
  expect(readDraft({ ...owner, email: 'user@demo.example' }, 'new')).toBeNull()
  expect(listDrafts({ ...owner, orgId: 'two' })).toEqual([])
})

test('what somebody else saved in between is taken in, and what was changed here is kept', () => {
  const mine: Started = { draft: draft('Mine', 'kept', 'added'), base: draft('Old', 'kept', 'dropped'), revision: 3 }
  const theirs: Started = {
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

test('a draft counts as changed only where it differs from what it started from', () => {
  expect(isChanged(startNew())).toBe(false)
  expect(isChanged({ draft: draft('a', 'x'), base: draft('a', 'x'), revision: 1 })).toBe(false)
  expect(isChanged({ draft: draft('a', 'y'), base: draft('a', 'x'), revision: 1 })).toBe(true)
})

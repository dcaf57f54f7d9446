/** Everything that one person may use of the planning structure, and why. */
import type { Use } from '@tributary/contract/assignments'
import { searchDebounceMs } from '@tributary/contract/limits'
import { TextInput } from '@mantine/core'
import { IconLock, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import { messageOf } from '@tributary/client/call-error'
import { everyStructureList } from '../../api/queries/planning-structure.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { count } from '../../ui/tables/data-table.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import css from './entitlements-drawer.module.css'
import { type UseLine, type UsePart, partsOf } from './entitlement-lines.ts'

interface UseDrawerProps {
  userId: string
  name: string
  onClose: () => void
}

export function UseDrawer({ userId, name, onClose }: UseDrawerProps) {
  const orgId = useWorkspace().organisation.Id
  const [term, setTerm] = useState('')
  const [search, setSearch] = useState('')
  const { data, error, refetch } = useQuery({
    queryKey: [...everyStructureList(orgId), 'use', userId, search],
    queryFn: ({ signal }) => call('GET /users/:userId/use', { params: { userId }, query: { orgId, search }, signal }),
    placeholderData: keepPreviousData,
  })
  const isCut = data?.MorePairs === true || search !== ''
  // What came in whole is searched here and at once; what did not, by the server.
  useEffect(() => {
    if (!isCut) return
    const timer = setTimeout(() => setSearch(term.trim()), searchDebounceMs)
    return () => clearTimeout(timer)
  }, [isCut, term])
  return (
    <Dialog kind="drawer" title={`See as ${name}`} subtitle="What this person may use, and why." onClose={onClose}>
      {data === undefined && error === null ? <SkeletonLines count={8} height={40} /> : null}
      {data === undefined && error !== null ? (
        <LoadFailure message={messageOf(error)} onRetry={() => void refetch()} />
      ) : null}
      {data === undefined ? null : <Parts use={data} term={term} onSearch={setTerm} />}
    </Dialog>
  )
}

function Parts({ use, term, onSearch }: { use: Use; term: string; onSearch: (term: string) => void }) {
  const sought = useDeferredValue(term)
  return (
    <>
      <TextInput
        type="search"
        aria-label="Search what may be used"
        placeholder="Search"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={term}
        onChange={(event) => onSearch(event.currentTarget.value)}
      />
      {partsOf(use, sought).map((part) => (
        <Part key={part.title} part={part} isSearch={sought.trim() !== ''} />
      ))}
    </>
  )
}

function countOf({ total, hasMore }: UsePart): string {
  return hasMore ? `more than ${count(total)}` : count(total)
}

/** More would help nobody; the search finds the rest. */
const shownMax = 200

function Part({ part, isSearch }: { part: UsePart; isSearch: boolean }) {
  const { title, lines } = part
  return (
    <section className={css.part}>
      <h3>
        {title}{' '}
        <span className={css.count}>{isSearch ? `${count(lines.length)} of ${countOf(part)}` : countOf(part)}</span>
      </h3>
      {lines.length === 0 ? <p className="small subtle">{isSearch ? 'None of these matches.' : 'Nothing.'}</p> : null}
      <ul>
        {lines.slice(0, shownMax).map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </ul>
      {lines.length > shownMax ? (
        <p className="small subtle">{`and ${count(lines.length - shownMax)} more; search for them`}</p>
      ) : null}
    </section>
  )
}

function Line({ line: { name, isReadOnly, why } }: { line: UseLine }) {
  return (
    <li className={css.line}>
      <span className={css.name}>{name}</span>
      {isReadOnly ? (
        <span className={css.locked}>
          <IconLock size={14} aria-hidden /> read only
        </span>
      ) : null}
      <span className={css.why}>{why}</span>
    </li>
  )
}

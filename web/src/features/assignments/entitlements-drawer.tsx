/** Everything of the planning structure that one user may use, and why. */
import type { Use } from '@tributary/contract/assignments'
import { searchDebounceMs } from '@tributary/contract/limits'
import { SearchInput } from '../../ui/forms/search-input.tsx'
import { IconLock } from '@tabler/icons-react/visitor-icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { everyStructureList } from '../../api/queries/planning-structure.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import css from './entitlements-drawer.module.css'
import { useDebouncedCallback } from '@mantine/hooks'
import { callQuery } from '../../api/call-query.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { type EntitlementLine, type EntitlementSection, entitlementSections } from './entitlement-lines.ts'
import { formatCount } from '../../ui/formats.ts'

interface EntitlementsDrawerProps {
  userId: string
  name: string
  onClose: () => void
}

export function EntitlementsDrawer({ userId, name, onClose }: EntitlementsDrawerProps) {
  const orgId = useOrganisationId()
  const [term, setTerm] = useState('')
  const [search, setSearch] = useState('')
  const query = useQuery({
    ...callQuery([...everyStructureList(orgId), 'use', userId, search], 'GET /users/:userId/use', {
      params: { userId },
      query: { orgId, search },
    }),
    placeholderData: keepPreviousData,
  })
  const searchOnServer = useDebouncedCallback(setSearch, searchDebounceMs)
  function searchFor(next: string) {
    setTerm(next)
    // A complete list is searched in the browser at once; a truncated one by the server, debounced.
    if (query.data?.MorePairs === true || search !== '') searchOnServer(next.trim())
  }
  return (
    <Dialog kind="drawer" title={`See as ${name}`} subtitle="What this person may use, and why." onClose={onClose}>
      <QueryResult query={query} loading={<SkeletonLines count={8} height={40} />}>
        {(use) => <SearchableEntitlements use={use} term={term} onSearch={searchFor} />}
      </QueryResult>
    </Dialog>
  )
}

function SearchableEntitlements({ use, term, onSearch }: { use: Use; term: string; onSearch: (term: string) => void }) {
  const deferredTerm = useDeferredValue(term)
  return (
    <>
      <SearchInput label="Search what may be used" value={term} onChange={onSearch} />
      {entitlementSections(use, deferredTerm).map((part) => (
        <EntitlementSectionList key={part.title} part={part} isSearch={deferredTerm.trim() !== ''} />
      ))}
    </>
  )
}

function sectionCount({ total, hasMore }: EntitlementSection): string {
  return hasMore ? `more than ${formatCount(total)}` : formatCount(total)
}

/** Longer lists are not readable; the search finds the rest. */
const maxLines = 200

function EntitlementSectionList({ part, isSearch }: { part: EntitlementSection; isSearch: boolean }) {
  const { title, lines } = part
  return (
    <section className={css.part}>
      <h3>
        {title}{' '}
        <span className={css.count}>
          {isSearch ? `${formatCount(lines.length)} of ${sectionCount(part)}` : sectionCount(part)}
        </span>
      </h3>
      {lines.length === 0 ? <p className="small subtle">{isSearch ? 'None of these matches.' : 'Nothing.'}</p> : null}
      <ul>
        {lines.slice(0, maxLines).map((line) => (
          <EntitlementLineItem key={line.id} line={line} />
        ))}
      </ul>
      {lines.length > maxLines ? (
        <p className="small subtle">{`and ${formatCount(lines.length - maxLines)} more; search for them`}</p>
      ) : null}
    </section>
  )
}

function EntitlementLineItem({ line: { name, isReadOnly, why } }: { line: EntitlementLine }) {
  return (
    <li className={css.line}>
      <span className={css.name}>{name}</span>
      {isReadOnly ? (
        <span className={css.locked}>
          <IconLock size={14} /> read only
        </span>
      ) : null}
      <span className={css.why}>{why}</span>
    </li>
  )
}

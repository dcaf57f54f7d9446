/**
 * Shows the file dialog only to users with a table to load into. Others see whom to ask, or where to grant themselves
 * access.
 */
import type { LoadTargetTable } from '@tributary/contract/loads'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { memberList } from '../../api/queries/common-queries.ts'
import { useMay, useOrganisationId } from '../../api/session/workspace.ts'
import { formatPeopleToAsk } from '../../domain/users/people-to-ask.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { loadTables } from './api.ts'
import { OpenMapButton } from '../../domain/structure-map/open-map-button.tsx'
import { refusalReason } from './load-wording.ts'
import css from './loads.module.css'

export function LoadPermissionGate({ children }: { children: ReactNode }) {
  const tables = useQuery(loadTables(useOrganisationId()))
  return (
    <QueryResult query={tables}>
      {(known) => (known.some((each) => refusalReason(each) === null) ? children : <NoLoadableTable tables={known} />)}
    </QueryResult>
  )
}

function NoLoadableTable({ tables }: { tables: readonly LoadTargetTable[] }) {
  const mayEdit = useMay()('editStructure')
  return (
    <div className={css.gate}>
      <EmptyState
        kind="notAllowed"
        title="There is no table that you may load into."
        action={mayEdit ? <OpenMapButton /> : undefined}
      >
        {tables.map((table) => (
          <p key={table.Id}>{`${table.Name}: ${refusalReason(table)}.`}</p>
        ))}
        {mayEdit ? <GrantAccessAdvice /> : <AskForAccessAdvice />}
      </EmptyState>
    </div>
  )
}

function GrantAccessAdvice() {
  return (
    <p>
      Put yourself into a <Link to={paths.userGroups}>security group</Link> with a version and a milestone, assign a{' '}
      <Link to={paths.userHelperTables}>helper table</Link> to yourself, or unlock one. The structure map shows what is
      missing.
    </p>
  )
}

function AskForAccessAdvice() {
  const members = useQuery(memberList(useOrganisationId()))
  const administrators = (members.data ?? []).filter(
    ({ Role, Status }) => Role?.Name === 'admin' && Status?.Name === 'active',
  )
  const people =
    administrators.length === 0 ? 'an administrator of your organisation' : formatPeopleToAsk(administrators)
  return (
    <p>
      {`Ask ${people} for a security group with a version and a milestone, or for a helper table, that is not locked.`}
    </p>
  )
}

/** One load at its address: still to be checked, on its way, or its receipt. */
import type { Load } from '@tributary/contract/loads'
import { Loader } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useWorkspace } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { Loaded } from '../../domain/requests/query-result.tsx'
import { Note } from '../../ui/feedback/callout.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { later, Part } from '../../ui/later.tsx'
import { loadOf } from './api.ts'
import css from './loads.module.css'
import { Receipt } from './load-receipt.tsx'

const CheckView = later(async () => (await import('./load-check.tsx')).CheckView)

interface OneLoadProps {
  loadId: string
  /** The file is still here, so that one can choose otherwise. */
  hasFile: boolean
  onLoaded: () => void
  /** Nothing of what was chosen is wanted any more. */
  onStartAnew: () => void
}

export function OneLoad({ loadId, ...props }: OneLoadProps) {
  const orgId = useWorkspace().organisation.Id
  const load = useQuery(loadOf(orgId, loadId))
  return <Loaded query={load}>{(known) => <ByStatus load={known} {...props} />}</Loaded>
}

function ByStatus({ load, onStartAnew, ...props }: Omit<OneLoadProps, 'loadId'> & { load: Load }) {
  if (load.Status === 'RECEIVING')
    return (
      <Part fallback={<SkeletonLines count={6} height={36} />}>
        <CheckView load={load} onStartAnew={onStartAnew} {...props} />
      </Part>
    )
  if (load.Status === 'COMMITTING')
    return (
      <output className={css.busy}>
        <Loader size={18} aria-hidden />
        {`Loading ${load.Sheet} into ${load.RecordName}…`}
      </output>
    )
  const back = (
    <Link className={css.back} to={paths.loads} onClick={onStartAnew}>
      <IconArrowLeft size={16} aria-hidden />
      All loads
    </Link>
  )
  return (
    <>
      {back}
      <Ended load={load} />
    </>
  )
}

function Ended({ load }: { load: Load }): ReactNode {
  if (load.Status === 'CANCELLED') return <Note tone="info">This load was cancelled. Nothing of it was loaded.</Note>
  if (load.Status === 'FAILED')
    return (
      <Note tone="error" title="This load failed, and nothing of it was loaded.">
        {`${load.RecordName} is as it was before. Choose the file again to load it.`}
      </Note>
    )
  return <Receipt load={load} />
}

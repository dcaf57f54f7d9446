/** One load at its URL: the check, the progress, or the receipt. */
import type { Load } from '@tributary/contract/loads'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { lazyComponent, LazyBoundary } from '../../ui/lazy-component.tsx'
import { loadQuery } from './api.ts'
import css from './loads.module.css'
import { ProgressNote } from './progress-note.tsx'
import type { LoadCheckViewProps } from './load-check.tsx'
import { LoadReceipt } from './load-receipt.tsx'

const LazyLoadCheckView = lazyComponent(() => import('./load-check.tsx'), 'LoadCheckView')

type LoadDetailProps = Omit<LoadCheckViewProps, 'load'> & { loadId: string }

export function LoadDetail({ loadId, ...props }: LoadDetailProps) {
  const load = useQuery(loadQuery(useOrganisationId(), loadId))
  return <QueryResult query={load}>{(known) => <LoadByStatus load={known} {...props} />}</QueryResult>
}

function LoadByStatus({ load, onStartOver, ...props }: LoadCheckViewProps) {
  if (load.Status === 'RECEIVING')
    return (
      <LazyBoundary fallback={<SkeletonLines count={6} height={36} />}>
        <LazyLoadCheckView load={load} onStartOver={onStartOver} {...props} />
      </LazyBoundary>
    )
  if (load.Status === 'COMMITTING')
    return <ProgressNote>{`Loading ${load.Sheet} into ${load.RecordName}…`}</ProgressNote>
  return (
    <>
      <Link className={css.back} to={paths.loads} onClick={onStartOver}>
        <IconArrowLeft />
        All loads
      </Link>
      <EndedLoad load={load} />
    </>
  )
}

function EndedLoad({ load }: { load: Load }): ReactNode {
  if (load.Status === 'CANCELLED') return <Callout tone="info">This load was cancelled. Nothing was loaded.</Callout>
  if (load.Status === 'FAILED')
    return (
      <Callout tone="error" title="This load failed, and nothing was loaded.">
        {`${load.RecordName} is as it was before. Choose the file again to load it.`}
      </Callout>
    )
  return <LoadReceipt load={load} />
}

import type { Connector } from '@tributary/contract/connectors'
import type { ReactNode } from 'react'
import { useConnectorType } from '../../../domain/connectors/use-connector-type.ts'
import { CardGrid } from '../../../ui/display/record-card.tsx'
import { SkeletonCards } from '../../../ui/feedback/skeleton.tsx'
import { NoSearchMatch, useSearchTerm } from '../../../ui/forms/search-box.tsx'
import { LoadedConnectors } from '../loaded-connectors.tsx'

interface ConnectorCardsProps {
  renderCard: (connector: Connector) => ReactNode
  firstAction: ReactNode
}

/** The cards of a type, or a placeholder. */
export function ConnectorCards({ renderCard, firstAction }: ConnectorCardsProps) {
  const { title } = useConnectorType()
  const term = useSearchTerm()
  return (
    <LoadedConnectors loading={<SkeletonCards count={3} height={196} />} firstAction={firstAction}>
      {(all, found) =>
        found.length === 0 ? (
          <NoSearchMatch title={`No connector matches '${term}'.`} />
        ) : (
          <>
            <output className="visually-hidden">{term === '' ? '' : `${found.length} of ${all.length}`}</output>
            <CardGrid label={`${title} connectors`}>{found.map(renderCard)}</CardGrid>
          </>
        )
      }
    </LoadedConnectors>
  )
}

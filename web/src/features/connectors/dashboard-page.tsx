import { Button } from '@mantine/core'
import { IconDatabase } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useMay } from '../../api/workspace.ts'
import { paths } from '../../paths.ts'
import { ConnectorList } from './connector-list.tsx'
import { ConnectorPage } from './connector-page.tsx'
import css from './connectors.module.css'
import { RunCard } from './run-card.tsx'
import { useMembers, useType } from './use-type.ts'
import { WarehouseDrawer } from './warehouse-drawer.tsx'

export function ConnectorDashboardPage() {
  const { name } = useType()
  const may = useMay()
  const members = useMembers()
  const [isWarehouseOpen, setWarehouseOpen] = useState(false)
  const add = may('addConnector') ? (
    <Button component={Link} to={`${paths.manage(name)}?new=true`}>
      Add connector
    </Button>
  ) : null

  return (
    <ConnectorPage>
      {may('seeWarehouse') ? (
        <div className={css.toolbar}>
          <Button variant="default" leftSection={<IconDatabase size={16} aria-hidden />} onClick={() => setWarehouseOpen(true)}>
            Read the data
          </Button>
        </div>
      ) : null}
      <ConnectorList renderCard={(connector) => <RunCard key={connector.Id} connector={connector} members={members} />} firstAction={add} />
      {isWarehouseOpen ? <WarehouseDrawer onClose={() => setWarehouseOpen(false)} /> : null}
    </ConnectorPage>
  )
}

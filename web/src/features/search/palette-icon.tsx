import { IconArrowRight } from '@tabler/icons-react/visitor-icons'
import {
  IconBolt,
  IconBuilding,
  IconFileSpreadsheet,
  IconHistory,
  IconLayoutGrid,
  IconProgress,
  IconTable,
  IconUser,
  IconUsers,
  type Icon,
} from '@tabler/icons-react'
import { ConnectorIcon } from '../../domain/connectors/connector-icon.tsx'
import type { PaletteGroup, PaletteItem } from './palette-items.ts'
import css from './palette.module.css'

const icons: Readonly<Record<Exclude<PaletteGroup, 'Connectors'>, Icon>> = {
  Recent: IconHistory,
  Pages: IconArrowRight,
  Actions: IconBolt,
  Organisations: IconBuilding,
  Tables: IconTable,
  Runs: IconProgress,
  Areas: IconLayoutGrid,
  Subareas: IconLayoutGrid,
  Versions: IconFileSpreadsheet,
  'Helper tables': IconFileSpreadsheet,
  Entities: IconBuilding,
  'Security groups': IconUsers,
  People: IconUser,
}

export function PaletteIcon({ item: { group, connectorType } }: { item: PaletteItem }) {
  if (group === 'Connectors' || (group === 'Recent' && connectorType !== undefined))
    return <ConnectorIcon name={connectorType ?? ''} size={20} />
  const GroupIcon = icons[group]
  return (
    <span className={css.icon}>
      <GroupIcon />
    </span>
  )
}

/** The items that a person has chosen last in the palette, by organisation. The browser keeps them until sign-out. */
import { cacheForUser, readJson } from '../../api/local-storage.ts'
import type { PaletteItem } from './palette-items.ts'

const shownMax = 6
/** Of all organisations together. */
const keptMax = 60

interface RecentItem {
  /** What the palette shows. */
  readonly item: Pick<PaletteItem, 'label' | 'detail' | 'connectorType'>
  readonly to: string
  /** Who chose it in which organisation. */
  readonly owner: string
}

export function listRecentItems(owner: string): readonly PaletteItem[] {
  return readRecentItems()
    .filter((recent) => recent.owner === owner)
    .slice(0, shownMax)
    .map(({ item, to }) => ({ ...item, id: `recent ${to}`, group: 'Recent', target: { to } }))
}

/** Only items that lead to a page of the portal. */
export function rememberItem(owner: string, { label, detail, connectorType, target }: PaletteItem): void {
  if (!('to' in target)) return
  const others = readRecentItems().filter((one) => one.owner !== owner || one.to !== target.to)
  const item = { label, ...(detail !== undefined && { detail }), ...(connectorType !== undefined && { connectorType }) }
  cacheForUser('recentItems', [{ item, to: target.to, owner } satisfies RecentItem, ...others].slice(0, keptMax))
}

function readRecentItems(): readonly RecentItem[] {
  const stored = readJson<readonly RecentItem[]>('recentItems')
  return Array.isArray(stored) ? stored : []
}

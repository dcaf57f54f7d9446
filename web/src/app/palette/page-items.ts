/** The pages that a role may open, from the route table, as items of the palette. */
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import { isAdminRole } from '../../domain/connectors/connector-state.ts'
import type { SignedInUser } from '../../api/session/session.ts'
import type { PaletteItem } from '../../features/search/palette-items.ts'
import type { PortalRoute } from '../portal-route.ts'
import { routes } from '../routes.ts'
import { findSection, mayOpen, requireRoute } from '../shell/navigation.ts'

/** @param types the connector types of the organisation */
export function listPageItems(user: SignedInUser, types: readonly ConnectorType[]): readonly PaletteItem[] {
  const open = routes.filter(
    (route) => route.allow !== 'visitor' && route.isListed !== false && mayOpen(route, user.roleLevel),
  )
  return [
    ...open.filter((route) => !isOfType(route)).map(toItem),
    ...types.flatMap((type) =>
      open.filter((route) => isOfType(route) && hasPage(type, route, user)).map(toItemOf(type)),
    ),
  ]
}

const ofType = '/connectors/:type/'

function isOfType({ path }: PortalRoute): boolean {
  return path.startsWith(ofType)
}

/** As the links of the section: see `ConnectorSection`. */
function hasPage({ Kind }: ConnectorType, { path, isForAccounting }: PortalRoute, user: SignedInUser): boolean {
  if (path === `${ofType}manage`) return isAdminRole(user.role)
  return isForAccounting !== true || Kind === 'accounting'
}

function toItem(route: PortalRoute): PaletteItem {
  const path = withoutRecord(route)
  const section = findSection(path)
  return {
    id: path,
    group: 'Pages',
    label: route.title,
    target: { to: path },
    ...(section !== undefined && { detail: requireRoute(section.path).title }),
    ...(route.label !== undefined && { keywords: route.label }),
    ...(route.key !== undefined && { keys: ['g', route.key] }),
  }
}

function toItemOf({ Type, Title }: ConnectorType): (route: PortalRoute) => PaletteItem {
  return ({ path, title }) => {
    const to = path.replace(':type', encodeURIComponent(Type))
    return { id: to, group: 'Pages', label: `${Title} Connectors: ${title}`, target: { to } }
  }
}

/** The shortcuts that open a page, for the keys and their list. */
export function listGoKeys(
  roleLevel: number,
): readonly { readonly key: string; readonly title: string; readonly to: string }[] {
  return routes.flatMap((route) =>
    route.key !== undefined && mayOpen(route, roleLevel)
      ? [{ key: route.key, title: route.title, to: withoutRecord(route) }]
      : [],
  )
}

function withoutRecord({ path }: PortalRoute): string {
  return path.replace(/\/:\w+\?$/u, '')
}

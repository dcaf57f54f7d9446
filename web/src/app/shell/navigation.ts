/** The links between the pages of a section. Labels and rights come from the route table. */
import { may } from '@tributary/contract/capabilities'
import type { PortalRoute } from '../portal-route.ts'
import { routes } from '../routes.ts'
import { paths } from '../../paths.ts'
import type { SectionLink } from '../../ui/layout/page.tsx'

interface SectionEntry {
  readonly path: string
  /** Instead of the label of the route. */
  readonly label?: string
  readonly below?: readonly SectionEntry[]
  /** Paths of further pages that this entry is the current one for. */
  readonly relatedPaths?: readonly string[]
  /** Of a link below an entry: a role that may not open the page does not see it. */
  readonly isHiddenFromOthers?: true
}

export interface Section {
  /** All addresses that begin with it are in the section. */
  readonly path: string
  readonly entries: readonly SectionEntry[]
  /**
   * True if a role without the right to the section's own route sees the refusal of the section on all its pages, and
   * if the way to the page is stored as the breadcrumb.
   */
  readonly isWhole: boolean
}

const sections: readonly Section[] = [
  {
    path: paths.admin,
    isWhole: false,
    entries: [
      { path: paths.adminDashboard },
      // One entry for both: a ninth would not fit next to the search at 1280 pixels.
      {
        path: paths.adminConfiguration,
        below: [
          { path: paths.adminConfiguration, label: 'Settings' },
          { path: paths.adminWorkbench, isHiddenFromOthers: true },
        ],
      },
      { path: paths.adminUsers },
      { path: paths.adminApprovals },
      { path: paths.adminOrganisations },
      { path: paths.adminAlerts },
      {
        path: paths.adminAccessTokens,
        label: 'Programs',
        below: [{ path: paths.adminAccessTokens }, { path: paths.adminAssistants }],
      },
      { path: paths.adminAudit },
    ],
  },
  {
    path: paths.data,
    isWhole: false,
    entries: [
      { path: paths.data },
      { path: paths.queries },
      { path: paths.dictionary },
      { path: paths.connect },
      {
        path: paths.publications,
        label: 'Publishing',
        below: [{ path: paths.publications }, { path: paths.afterPublishing }],
      },
    ],
  },
  {
    path: paths.excel,
    isWhole: true,
    entries: [
      { path: paths.structureMap },
      { path: paths.areas, below: [{ path: paths.areaLinks }] },
      { path: paths.subareas, below: [{ path: paths.subareaLinks }] },
      { path: paths.versions },
      { path: paths.helperTables },
      { path: paths.loads },
      { path: paths.tableSync },
      {
        path: paths.securityGroups,
        label: 'Security',
        below: [
          { path: paths.securityGroups },
          { path: paths.userGroups },
          { path: paths.userHelperTables, relatedPaths: [paths.helperTableUsers] },
          { path: paths.entities },
          { path: paths.userEntities, relatedPaths: [paths.entityUsers] },
        ],
      },
    ],
  },
]

export function findSection(pathname: string): Section | undefined {
  return sections.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
}

/**
 * Omits pages that the role may not open. Links below an entry are shown to all unless they are hidden from others; those
 * pages refuse the role themselves.
 */
export function listLinks({ entries }: Section, roleLevel: number): SectionLink[] {
  return entries.filter(({ path }) => mayOpen(requireRoute(path), roleLevel)).map((entry) => toLink(entry, roleLevel))
}

/** The route whose refusal a role without the right to the page sees, if there is one. */
export function findRefusedRoute(
  section: Section | undefined,
  route: PortalRoute,
  roleLevel: number,
): PortalRoute | undefined {
  const whole = section?.isWhole === true ? [requireRoute(section.path)] : []
  return [...whole, ...(isRefusedByPage(route) ? [] : [route])].find((one) => !mayOpen(one, roleLevel))
}

/**
 * Pages of a connector type refuse the role themselves, after they have checked that the type exists and has the page.
 */
function isRefusedByPage({ path }: PortalRoute): boolean {
  return path.startsWith('/connectors/:type/')
}

/** The labels from the section to the page. */
export function createBreadcrumb(section: Section, pathname: string): string[] {
  const entry = section.entries.find(({ path, below = [] }) =>
    [path, ...below.map((one) => one.path)].includes(pathname),
  )
  const child = entry?.below?.find(({ path }) => path === pathname)
  return [
    requireRoute(section.path).title,
    ...[entry, child].flatMap((one) => (one === undefined ? [] : [readLabel(one)])),
  ]
}

/** Whether a role may open the page. Pages for visitors are open to all. */
export function mayOpen({ allow }: PortalRoute, roleLevel: number): boolean {
  return allow === 'visitor' || allow === 'signedIn' || may(roleLevel, allow)
}

/** The route of a path without the optional parameter. */
export function requireRoute(path: string): PortalRoute {
  const route = routes.find((one) => one.path.replace(/\/:\w+\?$/, '') === path)
  if (route === undefined) throw new Error(`The route table has no ${path}.`)
  return route
}

function toLink(entry: SectionEntry, roleLevel: number): SectionLink {
  const { path, below = [], relatedPaths } = entry
  const shown = below.filter((one) => one.isHiddenFromOthers !== true || mayOpen(requireRoute(one.path), roleLevel))
  return {
    label: readLabel(entry),
    to: path,
    ...(shown.some((one) => one.path !== path) && { links: shown.map((one) => toLink(one, roleLevel)) }),
    ...(relatedPaths !== undefined && { relatedPaths }),
  }
}

function readLabel({ path, label }: SectionEntry): string {
  const route = requireRoute(path)
  return label ?? route.label ?? route.title
}

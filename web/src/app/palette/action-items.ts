/** Actions of the palette, as far as the role may take them. */
import { may, type Capability } from '@tributary/contract/capabilities'
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { PaletteItem, PaletteTarget } from '../../features/search/palette-items.ts'
import { paths } from '../../paths.ts'

interface ActionContext {
  readonly roleLevel: number
  readonly connectableTypes: readonly ConnectorType[]
  readonly chooseTheme: (theme: 'light' | 'dark' | 'auto') => void
  readonly showHelp: () => void
  readonly showKeys: () => void
  readonly logOut: () => void
}

export function listActionItems(context: ActionContext): readonly PaletteItem[] {
  const { roleLevel, connectableTypes, chooseTheme, showHelp, showKeys, logOut } = context
  const allowed = (capability: Capability, items: readonly PaletteItem[]) => (may(roleLevel, capability) ? items : [])
  return [
    ...allowed('editUsers', [
      action('Invite by email', { to: paths.inviteUsers }, 'user people colleague person'),
      action('Add user', { to: `${paths.adminUsers}?add=true` }, 'people person account'),
    ]),
    ...allowed('editStructure', [
      action('Create Security Group', { to: `${paths.securityGroups}?group=new&step=area` }, 'rights access add'),
    ]),
    ...allowed(
      'addConnector',
      connectableTypes.map(({ Type, Title }) =>
        action(`Add connector: ${Title}`, { to: `${paths.manage(Type)}?add=` }, 'connect source new'),
      ),
    ),
    action('Help for this page', { act: showHelp }, 'guide manual documentation'),
    action('Keyboard shortcuts', { act: showKeys }, 'keys hotkeys', ['?']),
    action('API documentation', { href: '/api/docs' }, 'developer openapi reference'),
    action('Theme: light', { act: () => chooseTheme('light') }, 'appearance colours bright mode'),
    action('Theme: dark', { act: () => chooseTheme('dark') }, 'appearance colours night mode'),
    action('Theme: as the system', { act: () => chooseTheme('auto') }, 'appearance colours mode'),
    action('Logout', { act: logOut }, 'sign out leave'),
  ]
}

function action(label: string, target: PaletteTarget, keywords: string, keys?: readonly string[]): PaletteItem {
  return { id: `action ${label}`, group: 'Actions', label, keywords, target, ...(keys && { keys }) }
}

/** What the header's tools and the keyboard shortcuts open over any page: the palette, the list of keys and the help. */
import { type ReactNode, useMemo, useState } from 'react'
import { useLocation, useMatches } from 'react-router'
import { usePreferences } from '../../api/preferences.ts'
import { useUpdateUrlParams, useUrlParams } from '../../ui/hooks/search-params.ts'
import { HeaderToolsContext } from '../../ui/layout/page.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'
import type { PortalRoute } from '../portal-route.ts'
import { HeaderTools } from './header-tools.tsx'
import type { ChosenWorkspace } from './use-chosen-workspace.ts'
import { useShortcuts } from './use-shortcuts.ts'

const loadPalette = () => import('../palette/command-palette.tsx')
const CommandPalette = lazyDialog(loadPalette, 'CommandPalette')
const KeysDialog = lazyDialog(() => import('../palette/keys-dialog.tsx'), 'KeysDialog')
const HelpDrawer = lazyDialog(() => import('../../features/help/help-drawer.tsx'), 'HelpDrawer')

const prefetchPalette = () => void loadPalette().catch(() => undefined)

interface ShellDialogsProps {
  readonly chosen: ChosenWorkspace
  /** The page, whose header has the tools. */
  readonly children: ReactNode
}

export function ShellDialogs({ chosen, children }: ShellDialogsProps) {
  const [opened, setOpened] = useState<'palette' | 'keys' | null>(null)
  const help = useHelp()
  const { KeyboardShortcuts: areSingleKeysOn } = usePreferences()
  const openPalette = () => setOpened('palette')
  const showKeys = () => setOpened('keys')
  const close = () => setOpened(null)
  useShortcuts({ areSingleKeysOn, openPalette, prefetchPalette, showKeys })
  const { open: showHelp } = help
  const tools = useMemo(
    () => <HeaderTools onPalette={() => setOpened('palette')} onHelp={showHelp} onPrefetch={prefetchPalette} />,
    [showHelp],
  )
  return (
    <>
      <HeaderToolsContext value={tools}>{children}</HeaderToolsContext>
      {opened === 'palette' ? (
        <CommandPalette chosen={chosen} onShowHelp={showHelp} onShowKeys={showKeys} onClose={close} />
      ) : null}
      {opened === 'keys' ? <KeysDialog isEnabled={areSingleKeysOn} onClose={close} /> : null}
      {help.place === null ? null : (
        <HelpDrawer place={help.place} linkTo={help.linkTo} onOpen={help.show} onClose={help.close} />
      )}
    </>
  )
}

const parameter = 'help'

/** The help that is open, in the URL. */
function useHelp() {
  const updateUrl = useUpdateUrlParams()
  const params = useUrlParams()
  const { pathname } = useLocation()
  const route = useMatches().findLast(({ handle }) => handle !== undefined)?.handle as PortalRoute | undefined
  const guide = route?.guide ?? ''
  return useMemo(
    () => ({
      place: params.get(parameter),
      open: () => updateUrl({ [parameter]: guide }),
      show: (place: string) => updateUrl({ [parameter]: place }, { replace: true }),
      close: () => updateUrl({ [parameter]: null }, { replace: true }),
      linkTo(place: string) {
        const next = new URLSearchParams(params)
        next.set(parameter, place)
        return `${pathname}?${next}`
      },
    }),
    [params, pathname, guide, updateUrl],
  )
}

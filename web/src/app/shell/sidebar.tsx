import { may } from '@tributary/contract/capabilities'
import { FocusTrap } from '@mantine/core'
import {
  IconDatabase,
  IconHome,
  IconLayoutSidebar,
  IconLogout,
  IconMenu2,
  IconShieldCheck,
  IconUsers,
} from '@tabler/icons-react'
import { NavLink } from 'react-router'
import { isTrial } from '../../api/trial-mode.ts'
import { paths } from '../../paths.ts'
import { BrandLogo } from '../../ui/layout/brand-logo.tsx'
import { logOut } from './log-out.ts'
import { OrganisationSelect } from './organisation-select.tsx'
import css from './sidebar.module.css'
import type { ChosenWorkspace } from './use-chosen-workspace.ts'
import { TrialNotice } from './trial-notice.tsx'
import type { NavState } from './use-nav.ts'
import type { ReactNode } from 'react'
import { Tooltip } from '../../ui/overlays/tooltip.tsx'
import { useQuery } from '@tanstack/react-query'
import { ownTypes } from '../../api/queries/common-queries.ts'
import type { Workspace } from '../../api/session/workspace.ts'
import { ConnectorIcon } from '../../domain/connectors/connector-icon.tsx'

export function Sidebar({ nav, chosen }: { nav: NavState; chosen: ChosenWorkspace }) {
  const isOverlayOpen = nav.isOverlay && !nav.isCollapsed
  return (
    <>
      {nav.isOverlay ? (
        <button
          type="button"
          className={css.burger}
          aria-expanded={!nav.isCollapsed}
          aria-controls="side-bar"
          aria-label="Open navigation"
          onClick={nav.toggle}
        >
          <IconMenu2 size={20} stroke={1.75} />
        </button>
      ) : null}
      {isOverlayOpen ? <div className={css.scrim} onClick={nav.close} aria-hidden /> : null}
      {nav.isOverlay && nav.isCollapsed ? null : (
        <FocusTrap active={isOverlayOpen}>
          <nav id="side-bar" className={css.bar} aria-label="Main">
            <SidebarContent nav={nav} chosen={chosen} />
          </nav>
        </FocusTrap>
      )}
    </>
  )
}

function SidebarContent({ nav, chosen }: { nav: NavState; chosen: ChosenWorkspace }) {
  const { workspace } = chosen
  const isRail = nav.isCollapsed
  const isAuditor = workspace?.identity.auditorUntil !== undefined
  return (
    <>
      <div className={css.top}>
        <span className={css.brand}>
          <BrandLogo />
          <span className={css.word}>Tributary</span>
        </span>
        <button
          type="button"
          className={css.toggle}
          aria-expanded={!isRail}
          aria-label={isRail ? 'Expand navigation' : 'Collapse navigation'}
          onClick={nav.toggle}
        >
          <IconLayoutSidebar size={18} stroke={1.75} />
        </button>
      </div>
      <ProfileLink isRail={isRail} chosen={chosen} />
      {isRail ? null : <OrganisationSelect chosen={chosen} />}
      <MainLinks workspace={workspace} isRail={isRail} />
      {isAuditor ? null : <ConnectorLinks workspace={workspace} isRail={isRail} />}
      {isTrial() && !nav.isOverlay ? <TrialNotice isRail={isRail} /> : null}
      <button
        type="button"
        className={css.logout}
        aria-label={isRail ? 'Logout' : undefined}
        onClick={() => void logOut()}
      >
        <IconLogout size={18} stroke={1.75} />
        <span className={css.text}>Logout</span>
      </button>
    </>
  )
}

function MainLinks({ workspace, isRail }: { workspace: Workspace | null; isRail: boolean }) {
  const isAuditor = workspace?.identity.auditorUntil !== undefined
  return (
    <ul className={css.list}>
      <SideLink
        to={isAuditor ? paths.auditorRoom : paths.home}
        label={isAuditor ? 'Auditor room' : 'Home'}
        icon={<IconHome size={18} stroke={1.75} />}
        isRail={isRail}
      />
      {!isAuditor && workspace !== null && may(workspace.identity.roleLevel, 'seeRuns') ? (
        <SideLink to={paths.trust} label="Trust" icon={<IconShieldCheck size={18} stroke={1.75} />} isRail={isRail} />
      ) : null}
      {workspace?.identity.mayReadData === true ? (
        <SideLink to={paths.data} label="Data" icon={<IconDatabase size={18} stroke={1.75} />} isRail={isRail} />
      ) : null}
      {workspace !== null && may(workspace.identity.roleLevel, 'seeAdminMenu') ? (
        <SideLink to={paths.admin} label="Admin" icon={<IconUsers size={18} stroke={1.75} />} isRail={isRail} />
      ) : null}
    </ul>
  )
}

function ProfileLink({ isRail, chosen }: { isRail: boolean; chosen: ChosenWorkspace }) {
  const identity = chosen.workspace?.identity
  if (identity === undefined) return <span className={css.profileBone} aria-hidden />
  return (
    <NavLink
      to={paths.profile}
      className={css.profile ?? ''}
      aria-label={isRail ? `Profile of ${identity.email}` : undefined}
    >
      <span className={css.initial} data-letter={identity.firstName.slice(0, 1).toUpperCase()} aria-hidden />
      {isRail ? null : <span className={css.email}>{identity.email}</span>}
    </NavLink>
  )
}

/** In the rail only the icon is visible; the label stays for screen readers and becomes a tooltip. */
function SideLink({ to, label, icon, isRail }: { to: string; label: string; icon: ReactNode; isRail: boolean }) {
  const link = (
    <NavLink to={to} className={css.link ?? ''} aria-label={isRail ? label : undefined}>
      {icon}
      <span className={css.text}>{label}</span>
    </NavLink>
  )
  return (
    <li>
      {isRail ? (
        <Tooltip label={label} position="right">
          {link}
        </Tooltip>
      ) : (
        link
      )}
    </li>
  )
}

/** Links to Excel, if the role may see it, and to the organisation's connector types; skeletons while they load. */
function ConnectorLinks({ workspace, isRail }: { workspace: Workspace | null; isRail: boolean }) {
  const clientId = workspace?.organisation.Id ?? null
  const { data } = useQuery({ ...ownTypes(clientId ?? ''), enabled: clientId !== null })
  return (
    <div className={css.connectors}>
      {isRail ? null : (
        <h2 className={css.heading} id="side-connectors">
          Connectors
        </h2>
      )}
      <ul className={css.list} aria-label="Connectors" aria-busy={data === undefined}>
        {workspace !== null && may(workspace.identity.roleLevel, 'seeExcel') ? (
          <SideLink to={paths.excel} label="Excel" icon={<ConnectorIcon name="Excel" size={20} />} isRail={isRail} />
        ) : null}
        {data === undefined
          ? [0, 1, 2].map((index) => <li key={index} className={css.bone} aria-hidden />)
          : data.map((type) => (
              <SideLink
                key={type.Id}
                to={`${paths.connectors}/${type.Type}`}
                label={type.Title}
                icon={<ConnectorIcon name={type.Type} size={20} />}
                isRail={isRail}
              />
            ))}
      </ul>
    </div>
  )
}

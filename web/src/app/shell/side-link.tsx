import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { Tooltip } from '../../ui/overlays/tooltip.tsx'
import css from './sidebar.module.css'

/** In the rail only the icon is visible; the label stays for screen readers and becomes a tooltip. */
export function SideLink({ to, label, icon, isRail }: { to: string; label: string; icon: ReactNode; isRail: boolean }) {
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

/**
 * The actions of a row, at the end of its line. They are quiet until the row is hovered or focused; the style sheet of the table
 * decides that.
 */
import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import type { MenuItem } from '../overlays/menu-button.tsx'
import { MoreActions } from '../overlays/more-actions.tsx'
import css from './row-actions.module.css'

interface RowActionsProps {
  /** Id of the element that names the row. */
  describedBy: string
  /** At most two or three buttons, the same ones in every row. */
  children?: ReactNode
  /** Further actions, behind a button. */
  menu?: readonly MenuItem[]
}

export function RowActions({ describedBy, children, menu = [] }: RowActionsProps) {
  return (
    <span className={css.actions}>
      {children}
      {menu.length === 0 ? null : <MoreActions describedBy={describedBy} size={26} items={menu} />}
    </span>
  )
}

interface RowButtonProps extends Pick<ButtonProps, 'disabled' | 'loading'> {
  ref?: Ref<HTMLButtonElement> | undefined
  /** Id of the element that names the row. */
  describedBy?: string
  'aria-label'?: string
  /** The action deletes something. */
  isDanger?: boolean
  /** This row does not have the action. Its space stays, so that the buttons of all rows are aligned. */
  isMissing?: boolean
  onClick: () => void
  children: string
}

export function RowButton({ describedBy, isDanger = false, isMissing = false, children, ...props }: RowButtonProps) {
  if (isMissing)
    return (
      <span className={css.missing} aria-hidden>
        {children}
      </span>
    )
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-describedby={describedBy}
      data-danger={isDanger || undefined}
      {...props}
    >
      {children}
    </Button>
  )
}

/** The frame of dialogs, lazy-loaded with the first one. */
import { ActionIcon, Drawer, Modal } from '@mantine/core'
import { IconX } from '@tabler/icons-react/visitor-icons'
import { type FormEvent, useEffect, useState } from 'react'
import { CloseContext, type DialogProps } from './dialog.tsx'
import css from './dialog.module.css'
import { UnsavedChanges } from './unsaved-changes.tsx'

const transition = { duration: 160 }

/** Longer than any call of a dialog takes. A call that hangs must not lock the dialog for ever. */
const lockedMaxMs = 60_000

/** Open while it is mounted. */
export function DialogFrame(props: DialogProps) {
  const { kind = 'modal', title, subtitle, onClose, onSubmit, children, footer } = props
  const { close, isLocked, isConfirming, keepOpen } = useClosing(props)
  useFocusReturn()
  const Overlay = kind === 'modal' ? Modal : Drawer

  const content = (
    <>
      <div className={css.head}>
        <div className={css.titles}>
          <Overlay.Title className={css.title}>{title}</Overlay.Title>
          {subtitle === undefined ? null : <div className={css.subtitle}>{subtitle}</div>}
        </div>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={32}
          aria-label="Close"
          aria-disabled={isLocked || undefined}
          onClick={close}
        >
          <IconX size={18} />
        </ActionIcon>
      </div>
      {/* Without a form the content has the focus, so that keys scroll it. */}
      <div className={css.body} tabIndex={-1} data-autofocus={onSubmit === undefined || undefined}>
        {children}
      </div>
      {isConfirming ? (
        <UnsavedChanges css={{ bar: css.foot, ask: css.ask }} hasFocus onStay={keepOpen} onLeave={onClose} />
      ) : null}
      {footer === undefined || isConfirming ? null : (
        <CloseContext value={isLocked ? null : close}>
          <div className={css.foot}>{footer}</div>
        </CloseContext>
      )}
    </>
  )

  return (
    <Overlay.Root
      opened
      onClose={close}
      lockScroll={false}
      transitionProps={transition}
      {...(kind === 'modal' ? { centered: true } : { position: 'right' as const })}
    >
      <Overlay.Overlay className={css.scrim} />
      <Overlay.Content className={css.content} data-kind={kind} radius={0}>
        {onSubmit === undefined ? (
          <div className={css.frame}>{content}</div>
        ) : (
          <form className={css.frame} noValidate onSubmit={handleSubmit(onSubmit)}>
            {content}
          </form>
        )}
      </Overlay.Content>
    </Overlay.Root>
  )
}

/** Asks for confirmation before unsaved input is lost. While a call is in progress the dialog cannot be closed. */
function useClosing({ onClose, isDirty = false, isBusy = false }: DialogProps) {
  const [isAsked, setAsked] = useState(false)
  const isLocked = useLocked(isBusy)
  const isTopmost = useTopmost()
  const close = () => {
    if (isLocked || !isTopmost()) return
    if (isDirty) setAsked(true)
    else onClose()
  }
  return { close, isLocked, isConfirming: isAsked && !isLocked, keepOpen: () => setAsked(false) }
}

/** True while busy, for at most `lockedMaxMs`. */
function useLocked(isBusy: boolean): boolean {
  const [isOverdue, setOverdue] = useState(false)
  useEffect(() => {
    if (!isBusy) return
    const timer = setTimeout(() => setOverdue(true), lockedMaxMs)
    return () => {
      clearTimeout(timer)
      setOverdue(false)
    }
  }, [isBusy])
  return isBusy && !isOverdue
}

/** The open dialogs, bottom to top. All of them receive Escape; only the topmost closes. */
const openDialogs: symbol[] = []

function useTopmost(): () => boolean {
  const [own] = useState(() => Symbol('dialog'))
  useEffect(() => {
    openDialogs.push(own)
    return () => void openDialogs.splice(openDialogs.indexOf(own), 1)
  }, [own])
  return () => openDialogs.at(-1) === own
}

/**
 * Returns the focus to the opener on close, or to the page's content if the opener is removed or disabled. Leaves
 * a focus that moved on.
 */
function useFocusReturn() {
  const [opener] = useState(findOpener)
  useEffect(
    () => () => {
      setTimeout(() => {
        for (const next of [opener, document.getElementById('main')]) {
          if (document.activeElement === document.body && next instanceof HTMLElement)
            next.focus({ preventScroll: true })
        }
      })
    },
    [opener],
  )
}

/** The focused element, or the button of its menu: a menu removes its items when it closes. */
function findOpener(): Element | null {
  const focused = document.activeElement
  const menu = focused?.closest('[role="menu"]')
  if (menu === null || menu === undefined) return focused
  return document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
}

function handleSubmit(onSubmit: () => void) {
  return (event: FormEvent) => {
    event.preventDefault()
    // React passes events of a dialog on to the form of the dialog that rendered it.
    event.stopPropagation()
    onSubmit()
  }
}

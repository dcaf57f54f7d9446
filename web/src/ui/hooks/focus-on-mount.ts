/** Ref of an element that takes the focus, because the one that had it is removed. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus()
}

import { Component, type ReactNode } from 'react'

/** Fails alone, and all around it goes on: the page says so in its place (site/lib/failures.ts). */
export class Part extends Component<{ children: ReactNode }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch(error: unknown) {
    reportError(error)
  }

  override render() {
    return this.state.hasFailed ? <div data-failed="" /> : this.props.children
  }
}

import { Component, type ReactNode } from 'react'

/** site/lib/failures.ts puts a note in the place of what fails. */
export class ErrorBoundary extends Component<{ children: ReactNode }> {
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

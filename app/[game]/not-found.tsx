export { NotFoundPage as default } from '../_ui/words/not-found-page.tsx';

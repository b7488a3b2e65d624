import { NotFoundPage } from '../_ui/words/not-found-page.tsx';

export default NotFoundPage;

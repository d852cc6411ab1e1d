"""Lists the templates and says where a template opens.

The session's agent copies the files into the home.
"""

from __future__ import annotations

from urllib.parse import quote

from portal.environments.service import EnvironmentService
from portal.errors import Conflict, NotFound
from portal.notebooks.gallery import HOME_FOLDER, gallery
from portal.notebooks.index import IndexedTemplate, Template
from portal.notebooks.preview import PackedPreview, picture_of, told_of
from portal.notebooks.schemas import TemplateOut
from portal.settings import Settings

#: What an unusual notebook, or one that is just being replaced, raises.
UNREADABLE = (OSError, ValueError, TypeError, KeyError, AttributeError)


class NotebookService:
    def __init__(self, settings: Settings, environments: EnvironmentService) -> None:
        self._settings = settings
        self._environments = environments

    def overview(self) -> list[TemplateOut]:
        """Return the templates that work on this site, in the order of the settings."""
        return [self._show(template) for template in gallery(self._settings).found]

    def preview(self, template_id: str) -> PackedPreview:
        """Return the cells of a template, with outputs if it has any. Raises NotFound."""
        template = self.one(template_id)
        try:
            return told_of(template)
        except UNREADABLE as error:
            raise NotFound(f"The notebook of “{template.template.title}” cannot be read now.") from error

    def picture(self, template_id: str) -> bytes:
        """Return the template's picture, a PNG. Raises NotFound if it has none."""
        try:
            picture = picture_of(self.one(template_id))
        except UNREADABLE:
            picture = None
        if picture is None:
            raise NotFound("This template has no picture.")
        return picture

    def openable(self, template_id: str, *, app: str) -> IndexedTemplate:
        """Return a template that opens in sessions that run `app`.

        Raises NotFound for an unknown template, Conflict if it cannot run there.
        """
        result = self.one(template_id)
        template = result.template
        declared = self._settings.apps.get(app)
        if declared is None or declared.kind != "jupyter":
            raise Conflict(
                "Notebooks open only in sessions that run Jupyter; this session does not.",
                hint="Choose another session, or start one with JupyterLab.",
            )
        if template.environment not in {"", *self._settings.environments}:
            raise Conflict(
                f"“{template.title}” runs in the image {template.image}, which is not an environment on this site.",
                hint="Pull the image under Environments, start a session in it, open templates/"
                f"{template.file} there and choose the image's kernel.",
            )
        if not self._available(template):
            title = self._settings.environments[template.environment].title
            raise Conflict(
                f"“{template.title}” needs {title}, which is not installed yet.",
                hint=f"Ask the administrators to install it (`portal environments install {template.environment}`).",
            )
        return result

    def all(self) -> tuple[IndexedTemplate, ...]:
        return gallery(self._settings).found

    def one(self, template_id: str) -> IndexedTemplate:
        """Return a template by its id. Raises NotFound."""
        for template in gallery(self._settings).found:
            if template.template.id == template_id:
                return template
        raise NotFound(f"There is no template “{template_id}”.")

    def _available(self, template: Template) -> bool:
        name = template.environment
        return not name or (name in self._settings.environments and self._environments.is_installed(name))

    def _show(self, value: IndexedTemplate) -> TemplateOut:
        template = value.template
        environment = self._settings.environments.get(template.environment)
        return TemplateOut(
            **template.model_dump(exclude={"environment", "kernel_of_node", "preview", "picture"}),
            environment=template.environment or None,
            environment_title=environment.title if environment else None,
            available=self._available(template),
            has_outputs=value.preview is not None,
        )


def path_of(file: str, *, base_url: str) -> str:
    """Return the URL path of a notebook, below the home's templates, in the session under `base_url`."""
    return f"{base_url}lab/tree/{HOME_FOLDER}/{quote(file)}"

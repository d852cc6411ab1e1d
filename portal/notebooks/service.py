"""Lists the templates and says where one opens.

The files themselves are brought into the home by the session's agent.
"""

from __future__ import annotations

from urllib.parse import quote

from portal.environments.service import EnvironmentService
from portal.errors import Conflict, NotFound
from portal.notebooks.gallery import HOME_FOLDER, gallery
from portal.notebooks.index import Template
from portal.notebooks.schemas import TemplateOut
from portal.settings import Settings


class NotebookService:
    def __init__(self, settings: Settings, environments: EnvironmentService) -> None:
        self._settings = settings
        self._environments = environments

    def overview(self) -> list[TemplateOut]:
        """Return the templates that work on this site, in the order of the settings."""
        return [self._show(one.template) for one in gallery(self._settings).found]

    def path_in_session(self, template_id: str, *, app: str, base_url: str) -> str:
        """Return the URL path of the template's notebook in a session that runs `app` under `base_url`.

        Raises NotFound for an unknown template, Conflict when it cannot run there.
        """
        template = self._template(template_id)
        declared = self._settings.apps.get(app)
        if declared is None or declared.kind != "jupyter":
            raise Conflict(
                "Notebooks open in sessions that run Jupyter; this one does not.",
                hint="Choose another session, or start one with JupyterLab.",
            )
        if not self._available(template):
            title = self._settings.environments[template.environment].title
            raise Conflict(
                f"“{template.title}” needs {title}, which is not installed yet.",
                hint=f"Ask the administrators to install it (`portal environments install {template.environment}`).",
            )
        return f"{base_url}lab/tree/{HOME_FOLDER}/{quote(template.file)}"

    def _template(self, template_id: str) -> Template:
        for one in gallery(self._settings).found:
            if one.template.id == template_id:
                return one.template
        raise NotFound(f"There is no template “{template_id}”.")

    def _available(self, template: Template) -> bool:
        name = template.environment
        return not name or (name in self._settings.environments and self._environments.is_installed(name))

    def _show(self, template: Template) -> TemplateOut:
        environment = self._settings.environments.get(template.environment)
        return TemplateOut(
            **template.model_dump(exclude={"environment"}),
            environment=template.environment or None,
            environment_title=environment.title if environment else None,
            available=self._available(template),
        )
